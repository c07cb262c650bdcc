/** Short runs of what torments a group; the long ones are commands. */
@NullMarked
package io.holdfast.bench.raft;

import org.jspecify.annotations.NullMarked;
