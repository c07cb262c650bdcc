package io.holdfast.cluster;

/** One of the three JVMs. */
final class ClusterFormationMultiJvmNode2 extends ClusterFormation {}
