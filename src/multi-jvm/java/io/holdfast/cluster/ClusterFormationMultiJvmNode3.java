package io.holdfast.cluster;

/** One of the three JVMs. */
final class ClusterFormationMultiJvmNode3 extends ClusterFormation {}
