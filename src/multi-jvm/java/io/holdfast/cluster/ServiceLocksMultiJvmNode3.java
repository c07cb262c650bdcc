package io.holdfast.cluster;

/** One of the four JVMs: it runs a node, which is killed. */
final class ServiceLocksMultiJvmNode3 extends ServiceLocks {}
