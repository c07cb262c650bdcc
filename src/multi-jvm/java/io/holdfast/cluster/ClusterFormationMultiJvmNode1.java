package io.holdfast.cluster;

/** One of the three JVMs. */
final class ClusterFormationMultiJvmNode1 extends ClusterFormation {}
