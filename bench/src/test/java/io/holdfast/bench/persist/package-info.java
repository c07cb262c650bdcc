/** Short runs of what torments a group; the long ones are commands. */
@NullMarked
package io.holdfast.bench.persist;

import org.jspecify.annotations.NullMarked;
