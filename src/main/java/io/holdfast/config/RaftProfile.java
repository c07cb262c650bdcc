package io.holdfast.config;

/** The distance between the members of a cluster, which sets the election timeout. */
public enum RaftProfile {
  /** In one site: elections wait 500 to 1000 ms. */
  LOCAL,
  /** In several sites: elections wait 1000 to 2000 ms. */
  WAN
}
