package io.holdfast.journal.state;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import java.nio.ByteBuffer;
import java.util.Optional;

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

  Optional<LeaseLife> life(LeaseId id) {
    return life(alive.now(), id);
  }

  static Optional<LeaseLife> life(SortedBytes alive, LeaseId id) {
    byte[] value = alive.get(number(id.value()));
    return value == null
        ? Optional.empty()
        : Optional.of(LeaseLife.of(id, new Revision(ByteBuffer.wrap(value).getLong())));
  }

  boolean isAlive(LeaseLife lease) {
    return life(lease.id()).filter(lease::equals).isPresent();
  }

  void begins(LeaseLife lease) {
    alive.put(number(lease.id().value()), number(lease.incarnation().value()));
  }

  void ends(LeaseLife lease) {
    alive.remove(number(lease.id().value()));
    ends = ends.with(index, lease);
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
