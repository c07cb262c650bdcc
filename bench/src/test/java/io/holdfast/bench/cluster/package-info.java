/** Short runs of what is done to whole nodes; the long ones are commands. */
@NullMarked
package io.holdfast.bench.cluster;

import org.jspecify.annotations.NullMarked;
