package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Index of the ids that are attached to each lease, as entries {@code lease shard id} in one sorted
 * map. The value says how: by a part of the id's record only, or by the id itself, and perhaps by
 * its record too.
 */
final class LeaseIndex {

  private static final byte[] BY_RECORD = new byte[0];
  private static final byte[] BY_ITSELF = new byte[1];
  private static final int SHARD = 16;

  /** An id that was attached to a lease. */
  record Attached(AttachedId id, boolean isByItself) {}

  private final AccountedMap attached;

  LeaseIndex(SortedBytes attached, SizeAccount account) {
    this.attached = new AccountedMap(attached, account);
  }

  SortedBytes attached() {
    return attached.now();
  }

  /**
   * Changes the leases of an id.
   *
   * @param byItself the number of leases to which it is attached by itself
   * @param before the leases of its record before
   * @param after the leases of its record from now on
   * @param remove leases to which it is no longer attached by itself
   * @param add leases to which it is attached by itself from now on
   * @return the number of leases to which it is attached by itself then
   */
  int change(
      ShardId shard,
      byte[] id,
      int byItself,
      Set<LeaseLife> before,
      Set<LeaseLife> after,
      List<LeaseLife> remove,
      List<LeaseLife> add) {
    for (LeaseLife lease : before) {
      byte[] key = after.contains(lease) ? null : key(lease, shard, id);
      if (key != null && (byItself == 0 || !isByItself(attached.get(key)))) {
        attached.remove(key);
      }
    }
    for (LeaseLife lease : after) {
      byte[] key = before.contains(lease) ? null : key(lease, shard, id);
      if (key != null && (byItself == 0 || attached.get(key) == null)) {
        attached.put(key, BY_RECORD);
      }
    }
    int count = byItself;
    for (LeaseLife lease : remove) {
      byte[] key = key(lease, shard, id);
      if (isByItself(attached.get(key))) {
        removeItself(key, after.contains(lease));
        count--;
      }
    }
    for (LeaseLife lease : add) {
      byte[] key = key(lease, shard, id);
      if (!isByItself(attached.get(key))) {
        attached.put(key, BY_ITSELF);
        count++;
      }
    }
    return count;
  }

  private void removeItself(byte[] key, boolean isOfRecord) {
    if (isOfRecord) {
      attached.put(key, BY_RECORD);
    } else {
      attached.remove(key);
    }
  }

  private static boolean isByItself(byte @Nullable [] value) {
    return value != null && value.length == BY_ITSELF.length;
  }

  /**
   * Removes all entries of an id. Looks at all of all ids: no writer that removes what it has added
   * needs it.
   */
  void forget(ShardId shard, byte[] id) {
    byte[] end =
        ByteBuffer.allocate(Integer.BYTES + id.length).putInt(shard.value()).put(id).array();
    List<byte[]> keys = new ArrayList<>();
    attached
        .now()
        .scan(
            new byte[0],
            (key, value) -> {
              if (Arrays.equals(key, SHARD, key.length, end, 0, end.length)) {
                keys.add(key);
              }
              return true;
            });
    keys.forEach(attached::remove);
  }

  /** Removes the lease. Returns the ids that were attached to it. */
  List<Attached> ended(LeaseLife lease) {
    List<Attached> had = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    byte[] prefix = key(lease);
    attached
        .now()
        .scan(
            prefix,
            prefix,
            (key, value) -> {
              keys.add(key);
              return had.add(new Attached(id(key), isByItself(SortedBytes.whole(value))));
            });
    keys.forEach(attached::remove);
    return had;
  }

  /** The number of ids that are attached to a lease. */
  static int count(SortedBytes attached, LeaseLife lease) {
    return attached.count(key(lease));
  }

  static List<AttachedId> of(SortedBytes attached, LeaseLife lease) {
    List<AttachedId> found = new ArrayList<>();
    byte[] prefix = key(lease);
    attached.scan(prefix, prefix, (key, value) -> found.add(id(key)));
    return found;
  }

  private static AttachedId id(byte[] key) {
    ShardId shard = ShardId.of(ByteBuffer.wrap(key).getInt(SHARD));
    Bytes id = Bytes.of(Arrays.copyOfRange(key, SHARD + Integer.BYTES, key.length));
    return new AttachedId(shard, new PersistenceId(id.text()));
  }

  private static byte[] key(LeaseLife lease) {
    return ByteBuffer.allocate(SHARD)
        .putLong(lease.id().value())
        .putLong(lease.incarnation().value())
        .array();
  }

  private static byte[] key(LeaseLife lease, ShardId shard, byte[] id) {
    return ByteBuffer.allocate(SHARD + Integer.BYTES + id.length)
        .put(key(lease))
        .putInt(shard.value())
        .put(id)
        .array();
  }
}
