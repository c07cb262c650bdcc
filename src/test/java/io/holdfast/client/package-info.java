/** The callers' side of the client, above a simulated session. */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;
