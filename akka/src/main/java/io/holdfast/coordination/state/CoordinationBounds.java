package io.holdfast.coordination.state;

import java.util.List;

/** The limits of the coordination state. A command that exceeds one is refused. */
public final class CoordinationBounds {

  /** Shards of a cluster. */
  public static final int MAX_SHARDS = 1_024;

  /** Sessions that live at one time. */
  public static final int MAX_SESSIONS = 256;

  /** Those of them that services have: the nodes must always find room. */
  public static final int MAX_SERVICES = 128;

  /** Rows of the configuration. */
  public static final int MAX_CONFIGURED = 127;

  /** Nodes whose dead incarnations are remembered. */
  public static final int MAX_MEMBERS = 16_384;

  /** Processes of services whose incarnations are remembered; of more, the oldest dead are not. */
  public static final int MAX_KNOWN_SERVICES = 1_024;

  /** The greatest incarnation, which counts starts. After a greater one no process could begin. */
  public static final long MAX_INCARNATION = Integer.MAX_VALUE;

  /** Characters of an address. */
  public static final int MAX_ADDRESS_LENGTH = 512;

  /** The shortest ttl of a session. */
  public static final int MIN_TTL_MS = 500;

  /** The longest ttl of a session. */
  public static final int MAX_TTL_MS = 60_000;

  private CoordinationBounds() {}

  /** True if this is an address: printable ASCII, so that it reads back as it was written. */
  static boolean isAddress(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_ADDRESS_LENGTH
        && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  static boolean allows(List<ConfiguredMember> members) {
    return members.size() <= MAX_CONFIGURED
        && members.stream().allMatch(m -> m.id().value() > 0 && isAddress(m.address()));
  }

  static boolean allows(CoordinationCommand.OpenSession open) {
    return open.member().value() > 0
        && open.incarnation() > 0
        && open.incarnation() <= MAX_INCARNATION
        && isAddress(open.akkaAddress())
        && open.ttlMs() >= MIN_TTL_MS
        && open.ttlMs() <= MAX_TTL_MS
        && open.stateCapacity() >= 0;
  }
}
