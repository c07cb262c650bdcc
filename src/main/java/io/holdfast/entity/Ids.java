package io.holdfast.entity;

import io.holdfast.lock.LockKey;
import java.util.Optional;

/** What the actors of locks and leases are called, in their shards and in the journal. */
public final class Ids {

  /*
   * In its shard a lock's actor is called by its key, and a lease's by a name that no key can have:
   * a key has no control characters. In the journal each has its kind before its name.
   */

  private static final char CONTROL = '\u0001';

  /** What the ids of locks in the journal begin with. */
  public static final String LOCK = "lock|";

  /** What the ids of leases in the journal begin with. */
  static final String LEASE = "lease|";

  private static final String ENTITY_OF_LEASE = CONTROL + "lease|";
  private static final String ENTITY_OF_SHARD = CONTROL + "shard|";

  private Ids() {}

  /** The id in the journal of a lock. */
  public static String of(LockKey key) {
    return LOCK + key.value();
  }

  /** The id in the journal of a lease. */
  public static String ofLease(long lease) {
    return LEASE + name(lease);
  }

  /** The lock that has this id in the journal, if one has. */
  public static Optional<LockKey> lock(String id) {
    return id.startsWith(LOCK)
        ? Optional.of(new LockKey(id.substring(LOCK.length())))
        : Optional.empty();
  }

  /** The lease that has this id in the journal, if one has. */
  public static Optional<Long> lease(String id) {
    return id.startsWith(LEASE)
        ? Optional.of(Long.parseLong(id.substring(LEASE.length()), 16))
        : Optional.empty();
  }

  static String entityOfLease(long lease) {
    return ENTITY_OF_LEASE + name(lease);
  }

  static String entityOfShard(int shard) {
    return ENTITY_OF_SHARD + shard;
  }

  /** The number of the shard, if this calls nothing but a shard. */
  static Optional<Integer> shard(String entity) {
    return entity.startsWith(ENTITY_OF_SHARD)
        ? Optional.of(Integer.parseInt(entity.substring(ENTITY_OF_SHARD.length())))
        : Optional.empty();
  }

  /** The id in the journal of the actor that is called so in its shard. */
  static String persistenceId(String entity) {
    return isLease(entity) ? entity.substring(1) : LOCK + entity;
  }

  /** In the order of the ids. */
  private static String name(long lease) {
    return String.format("%016x", lease);
  }

  static boolean isLease(String entity) {
    return entity.startsWith(ENTITY_OF_LEASE);
  }

  /** What the actor with this id in the journal is called in its shard. */
  static String entity(String persistenceId) {
    return persistenceId.startsWith(LEASE)
        ? CONTROL + persistenceId
        : persistenceId.substring(LOCK.length());
  }
}
