package io.holdfast.journal.state;

import io.holdfast.id.LeaseLife;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/** The leases that are alive: the incarnation of each, by its id. */
final class LeaseTable {

  private final AccountedMap alive;
  private RecentEnds ends;
  private long index;

  /**
   * The leases after an entry.
   *
   * @param index of that entry
   */
  LeaseTable(SortedBytes alive, long index, SizeAccount account) {
    this.alive = new AccountedMap(alive, account);
    this.index = index;
    ends = RecentEnds.after(index);
  }

  /** Begins the next entry. */
  void next(long index) {
    this.index = index;
  }

  RecentEnds ends() {
    return ends;
  }

  SortedBytes alive() {
    return alive.now();
  }

  OptionalLong incarnation(long id) {
    return incarnation(alive.now(), id);
  }

  static OptionalLong incarnation(SortedBytes alive, long id) {
    byte[] value = alive.get(number(id));
    return value == null ? OptionalLong.empty() : OptionalLong.of(ByteBuffer.wrap(value).getLong());
  }

  boolean isAlive(LeaseLife lease) {
    OptionalLong incarnation = incarnation(lease.id());
    return incarnation.isPresent() && incarnation.getAsLong() == lease.incarnation();
  }

  void begins(LeaseLife lease) {
    alive.put(number(lease.id()), number(lease.incarnation()));
  }

  void ends(LeaseLife lease) {
    alive.remove(number(lease.id()));
    ends = ends.with(index, lease);
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
