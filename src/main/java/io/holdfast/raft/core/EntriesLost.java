package io.holdfast.raft.core;

/**
 * A member's disk has lost entries that the member had confirmed to its leader. It may have lost a
 * vote, too, so it must take no further part under its id.
 */
public final class EntriesLost extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EntriesLost(long lastIndex, long confirmed) {
    super(
        "this member's log ends at entry [%d], but it had confirmed entry [%d] to the leader: its disk has lost what was synced"
            .formatted(lastIndex, confirmed));
  }
}
