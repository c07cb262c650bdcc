package io.holdfast.wire;

import io.holdfast.id.LeaseId;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.lock.LockKey;
import java.util.Optional;

/** The ids of the actors of locks and leases, in their shards and in the journal. */
public final class EntityIds {

  /* In its shard, a lock's actor has its key as its name. A lease's actor has a name with a control
   * character, which no key can have. In the journal, the kind comes before the name.
   */

  private static final char CONTROL = '\u0001';

  /** The prefix of the ids of locks in the journal. */
  public static final String LOCK = "lock|";

  /** The prefix of the ids of leases in the journal. */
  public static final String LEASE = "lease|";

  private static final String ENTITY_OF_LEASE = CONTROL + "lease|";
  private static final String ENTITY_OF_SHARD = CONTROL + "shard|";

  private EntityIds() {}

  /** Returns the id of a lock in the journal. */
  public static PersistenceId of(LockKey key) {
    return new PersistenceId(LOCK + key.value());
  }

  /** Returns the id of a lease in the journal. */
  public static PersistenceId ofLease(LeaseId lease) {
    return new PersistenceId(LEASE + name(lease));
  }

  /** Returns the lock with this id in the journal, if it is one. */
  public static Optional<LockKey> lock(PersistenceId id) {
    return id.value().startsWith(LOCK)
        ? Optional.of(new LockKey(id.value().substring(LOCK.length())))
        : Optional.empty();
  }

  /** Returns the lease with this id in the journal, if it is one. */
  public static Optional<LeaseId> lease(PersistenceId id) {
    return id.value().startsWith(LEASE)
        ? Optional.of(new LeaseId(Long.parseLong(id.value().substring(LEASE.length()), 16)))
        : Optional.empty();
  }

  public static String entityOfLease(LeaseId lease) {
    return ENTITY_OF_LEASE + name(lease);
  }

  public static String entityOfShard(ShardId shard) {
    return ENTITY_OF_SHARD + shard.value();
  }

  /** Returns the shard, if this name stands for a shard only. */
  public static Optional<ShardId> shard(String entity) {
    return entity.startsWith(ENTITY_OF_SHARD)
        ? Optional.of(ShardId.of(Integer.parseInt(entity.substring(ENTITY_OF_SHARD.length()))))
        : Optional.empty();
  }

  /** Returns the id in the journal of the actor with this name in its shard. */
  public static PersistenceId persistenceId(String entity) {
    return new PersistenceId(isLease(entity) ? entity.substring(1) : LOCK + entity);
  }

  /** Returns a name that sorts in the order of the ids. */
  private static String name(LeaseId lease) {
    return String.format("%016x", lease.value());
  }

  public static boolean isLease(String entity) {
    return entity.startsWith(ENTITY_OF_LEASE);
  }

  /** Returns the name in its shard of the actor with this id in the journal. */
  public static String entity(PersistenceId persistenceId) {
    String id = persistenceId.value();
    return id.startsWith(LEASE) ? CONTROL + id : id.substring(LOCK.length());
  }
}
