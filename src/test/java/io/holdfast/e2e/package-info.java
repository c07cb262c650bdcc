/** Tests against real processes, started as a user starts them. */
@NullMarked
package io.holdfast.e2e;

import org.jspecify.annotations.NullMarked;
