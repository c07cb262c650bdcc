package io.holdfast.journal.state;

/**
 * The account of all that a journal keeps, as the memory that it takes on a node. It follows from
 * the content alone, whatever came before it, so that all members have the same, also those that
 * began with a snapshot.
 *
 * <p>Kept by difference: an append costs a few additions.
 */
final class SizeAccount {

  /*
   * An entry of the tree takes its bytes, and a quarter more: segments are never quite full, and
   * have a short path above them. What is not in the tree follows from what is: a grant, a waiter
   * and a lease have their deadlines, in the keeper of the node that owns their shard.
   */

  /** Of each id, beside its bytes: what knows of it beyond the journal. */
  static final int ID = 64;

  /** Of each part of a record: a grant, or a lease, in its keeper. */
  static final int PART = 512;

  /** Of each request that waits: its place and two deadlines in the keeper. */
  static final int WAITER = 1_024;

  private long bytes;
  private long ids;
  private long parts;
  private long waiters;

  /** One map's bytes have changed by so much. */
  void bytes(long more) {
    bytes += more;
  }

  /** What is kept of an id has become another; {@link History#NONE} is nothing. */
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
