package holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/** Which leases are alive: the incarnation of each, by its id. */
final class LeaseTable {

  private SortedBytes alive;

  LeaseTable(SortedBytes alive) {
    this.alive = alive;
  }

  SortedBytes alive() {
    return alive;
  }

  OptionalLong incarnation(long id) {
    return incarnation(alive, id);
  }

  static OptionalLong incarnation(SortedBytes alive, long id) {
    byte[] value = alive.get(number(id));
    return value == null ? OptionalLong.empty() : OptionalLong.of(ByteBuffer.wrap(value).getLong());
  }

  boolean isAlive(LeaseRef lease) {
    OptionalLong incarnation = incarnation(lease.id());
    return incarnation.isPresent() && incarnation.getAsLong() == lease.incarnation();
  }

  void begins(LeaseRef lease) {
    alive = alive.put(number(lease.id()), number(lease.incarnation()));
  }

  void ends(long id) {
    alive = alive.remove(number(id));
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
