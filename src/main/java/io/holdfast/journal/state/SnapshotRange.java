package io.holdfast.journal.state;

/** Which snapshots of an id are meant. All bounds are included. */
public record SnapshotRange(
    long minSequenceNr, long maxSequenceNr, long minTimestamp, long maxTimestamp) {

  public static final SnapshotRange ALL = new SnapshotRange(0, Long.MAX_VALUE, 0, Long.MAX_VALUE);

  /** The one at this number, of whatever time. */
  public static SnapshotRange at(long sequenceNr) {
    return new SnapshotRange(sequenceNr, sequenceNr, 0, Long.MAX_VALUE);
  }

  boolean includes(SavedSnapshot snapshot) {
    return snapshot.sequenceNr() >= minSequenceNr
        && snapshot.sequenceNr() <= maxSequenceNr
        && snapshot.timestamp() >= minTimestamp
        && snapshot.timestamp() <= maxTimestamp;
  }
}
