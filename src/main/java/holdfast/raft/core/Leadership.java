package holdfast.raft.core;

import org.jspecify.annotations.Nullable;

/** What a member knows of who leads: itself or another, in which term, or nobody. */
public record Leadership(long term, Role role, @Nullable MemberId leader) {

  public boolean leads() {
    return role == Role.LEADER;
  }
}
