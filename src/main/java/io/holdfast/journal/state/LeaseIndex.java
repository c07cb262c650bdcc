package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Index of the ids that are attached to each lease, as entries {@code lease shard id} in one sorted
 * map.
 */
final class LeaseIndex {

  private static final byte[] NOTHING = new byte[0];
  private static final int SHARD = 16;

  private final AccountedMap attached;

  LeaseIndex(SortedBytes attached, SizeAccount account) {
    this.attached = new AccountedMap(attached, account);
  }

  SortedBytes attached() {
    return attached.now();
  }

  /** Moves an id from the leases before to the leases after. */
  void move(ShardId shard, byte[] id, List<LeaseLife> before, List<LeaseLife> after) {
    if (before.equals(after)) {
      return;
    }
    for (LeaseLife lease : LeaseLists.without(before, after)) {
      attached.remove(key(lease, shard, id));
    }
    for (LeaseLife lease : LeaseLists.without(after, before)) {
      attached.put(key(lease, shard, id), NOTHING);
    }
  }

  /** Removes the lease. Returns the ids that were attached to it. */
  List<AttachedId> ended(LeaseLife lease) {
    List<AttachedId> had = of(attached.now(), lease);
    for (AttachedId id : had) {
      attached.remove(key(lease, id.shard(), Bytes.of(id.persistenceId().value()).array()));
    }
    return had;
  }

  /** The number of ids that are attached to a lease. */
  static int count(SortedBytes attached, LeaseLife lease) {
    return attached.count(key(lease));
  }

  static List<AttachedId> of(SortedBytes attached, LeaseLife lease) {
    List<AttachedId> found = new ArrayList<>();
    byte[] prefix = key(lease);
    attached.scan(
        prefix,
        prefix,
        (key, value) -> {
          ShardId shard = ShardId.of(ByteBuffer.wrap(key).getInt(SHARD));
          Bytes id = Bytes.of(Arrays.copyOfRange(key, SHARD + Integer.BYTES, key.length));
          return found.add(new AttachedId(shard, new PersistenceId(id.text())));
        });
    return found;
  }

  private static byte[] key(LeaseLife lease) {
    return ByteBuffer.allocate(SHARD).putLong(lease.id()).putLong(lease.incarnation()).array();
  }

  private static byte[] key(LeaseLife lease, ShardId shard, byte[] id) {
    return ByteBuffer.allocate(SHARD + Integer.BYTES + id.length)
        .put(key(lease))
        .putInt(shard.value())
        .put(id)
        .array();
  }
}
