/** Sessions and shards in virtual time: drifting clocks, lossy links, changing leaders, freezes. */
@NullMarked
package io.holdfast.simulation.coordination;

import org.jspecify.annotations.NullMarked;
