/** Tests of guards, against the real thing where there is one. */
@NullMarked
package io.holdfast.client.fencing;

import org.jspecify.annotations.NullMarked;
