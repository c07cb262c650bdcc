package holdfast.config;

/** How far apart the members of a cluster are, which says how long an election waits. */
public enum RaftProfile {
  /** In one site: elections wait 500 to 1000 ms. */
  LOCAL,
  /** In several sites: elections wait 1000 to 2000 ms. */
  WAN
}
