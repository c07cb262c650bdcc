/** Tests of a cluster: one JVM for each node. */
@NullMarked
package io.holdfast.cluster;

import org.jspecify.annotations.NullMarked;
