package io.holdfast.raft.core;

import org.jspecify.annotations.Nullable;

/**
 * The leader and the term as a member knows them, and the member's own role. The leader may be the
 * member itself, or nobody.
 */
public record Leadership(long term, Role role, @Nullable MemberId leader) {

  public boolean leads() {
    return role == Role.LEADER;
  }
}
