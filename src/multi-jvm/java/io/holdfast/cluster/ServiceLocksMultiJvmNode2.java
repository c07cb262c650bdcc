package io.holdfast.cluster;

/** One of the four JVMs: it runs a node. */
final class ServiceLocksMultiJvmNode2 extends ServiceLocks {}
