package io.holdfast.journal.state;

/**
 * The layout of a snapshot. Numbers have their highest byte first.
 *
 * <pre>
 * format (4) index (8) revision (8) verdicts kept at most (4)
 * each shard: id (4) epoch (8) last number (8) verdicts (4), each from the oldest on: kind (1) and
 *     what it says; map of histories; map of requests and the place of the last (8)
 * -1 (4)
 * map of leases
 * map of attached ids
 *
 * map: each entry: 1 (1), key length (2), value length (4), key, value; then 0 (1)
 * </pre>
 *
 * <p>Nothing guards it against damage: that is for whoever stores it.
 */
final class SnapshotFormat {

  static final int NUMBER = 4;
  static final int NO_MORE_SHARDS = -1;
  static final byte ENTRY = 1;
  static final byte NO_MORE_ENTRIES = 0;

  static final byte APPLIED = 1;
  static final byte WRONG_SEQUENCE = 2;
  static final byte LEASE_DEAD = 3;
  static final byte ALREADY_ANSWERED = 4;
  static final byte REQUEST_FORGOTTEN = 5;
  static final byte TOO_MANY_EVENTS = 6;
  static final byte LEASE_ALIVE = 7;
  static final byte TOO_MANY_REQUESTS = 8;
  static final byte STATE_FULL = 9;

  private SnapshotFormat() {}
}
