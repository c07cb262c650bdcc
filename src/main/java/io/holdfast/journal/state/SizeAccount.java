package io.holdfast.journal.state;

/**
 * The memory that a journal's content takes on a node. It depends on the content alone, so that all
 * members have the same account, also those that started with a snapshot.
 *
 * <p>Updated by difference: an append costs a few additions.
 */
final class SizeAccount {

  /*
   * An entry of the tree takes its bytes, and a quarter more: segments are never quite full, and
   * have a short path above them. Beside the tree, a grant, a waiter and a lease take memory for
   * their deadlines, in the keeper of the node that owns their shard.
   */

  /** The bytes for each id beyond its entries. */
  static final int ID = 64;

  /** The bytes for each part of a record: a grant, or a lease, in its keeper. */
  static final int PART = 512;

  /** The bytes for each request that waits: its place and two deadlines in the keeper. */
  static final int WAITER = 1_024;

  private long bytes;
  private long ids;
  private long parts;
  private long waiters;

  /** Adds a difference in the bytes of one map. */
  void bytes(long more) {
    bytes += more;
  }

  /** Replaces the history of an id by another; {@link History#NONE} is none. */
  void changed(History before, History after) {
    ids += count(after) - count(before);
    parts += parts(after) - parts(before);
    waiters += after.waiters() - before.waiters();
  }

  private static int count(History history) {
    return history.highest() == 0 ? 0 : 1;
  }

  private static int parts(History history) {
    PublicRecord record = history.record();
    return record == null ? 0 : record.parts().size();
  }

  Footprint footprint() {
    return new Footprint(size(), ids, parts, waiters);
  }

  long size() {
    return bytes + bytes / 4 + ID * ids + PART * parts + WAITER * waiters;
  }
}
