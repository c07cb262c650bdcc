package io.holdfast.coordination.state;

import io.holdfast.id.ShardId;
import java.util.List;

/**
 * A session that has ended, and the shards that it owned then.
 *
 * @param session as it was last
 */
public record EndedSession(Session session, Cause cause, List<ShardId> shards) {

  /** The cause of the end of a session. */
  public enum Cause {
    /** Its node closed it. */
    CLOSED(false),
    /** No renewal came for its ttl. */
    EXPIRED(false),
    /** Its process seemed gone, before its ttl was over. */
    EXPIRED_EARLY(true),
    /** A later process of its member opened another. */
    REPLACED(false),
    /** Others could not reach its node. */
    EXPELLED(true),
    /** The cluster was restored from a copy. */
    RESTORED(false);

    private final boolean inDoubt;

    Cause(boolean inDoubt) {
      this.inDoubt = inDoubt;
    }

    /** True if its node may still run, and believe in it. */
    public boolean isInDoubt() {
      return inDoubt;
    }
  }

  public EndedSession {
    shards = List.copyOf(shards);
  }
}
