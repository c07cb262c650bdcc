package io.holdfast.coordination.state;

/** The reason for which a command had no effect. */
public enum CoordinationRefusal {
  /** Nothing can be done before the cluster is founded. */
  NOT_FOUNDED,
  /** A cluster is founded once. */
  ALREADY_FOUNDED,
  /** A value is outside of its bound. */
  OUT_OF_BOUND,
  /** The process spreads keys over shards in another way than the cluster was founded with. */
  OTHER_TERMS,
  /** The session does not live. */
  NO_SUCH_SESSION,
  /** The process was replaced, or its session ended: it never gets another. */
  DEAD_INCARNATION,
  /** The incarnation has a session already, opened with other words. */
  INCARNATION_REUSED,
  /** The member is a node, by the configuration or by its last session: no service takes that. */
  MEMBER_IS_A_NODE,
  /** Too many sessions live. */
  SESSIONS_FULL,
  /** Too many nodes are remembered. */
  MEMBERS_FULL,
  /** A later renewal was applied before. */
  OLD_RENEWAL,
  /** The session was renewed after it was judged: it lives on. */
  RENEWED_MEANWHILE,
  /** Another live session owns the shard. */
  SHARD_TAKEN,
  /** The session's node does not run shards. */
  NOT_A_SHARD_HOST,
  /** A later acquire of the same session for the same shard was applied before. */
  OLD_REQUEST,
  /** The epoch is not the shard's current one, or not that of this session. */
  NOT_CURRENT_EPOCH,
  /** The generation has no numbers left. */
  NUMBERS_USED_UP,
  /** A live session has joined already. */
  ALREADY_FORMED,
  /** Somebody has joined since the node looked: it may have joined that one. */
  JOINED_MEANWHILE,
  /** Another cluster was formed since: what the node joined is not the cluster. */
  OTHER_FORMATION,
  /** The shard is certain, or has a later mark. */
  NO_SUCH_MARK,
  /** Nothing is known of the member. */
  NO_SUCH_MEMBER,
  /** The member has a live session. */
  MEMBER_LIVES,
  /** The smallest set to expel is another one by now. */
  EXPULSION_OUTDATED,
  /** The generation does not rise. */
  OLD_GENERATION
}
