package io.holdfast.cluster;

/** One of the four JVMs: it runs a node, and conducts. */
final class ServiceLocksMultiJvmNode1 extends ServiceLocks {}
