package io.holdfast.cluster;

/** One of the four JVMs: it runs the service. */
final class ServiceLocksMultiJvmNode4 extends ServiceLocks {}
