package io.holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The snapshots of one id, by sequence number. */
record SavedSnapshots(List<SavedSnapshot> saved) {

  static final SavedSnapshots NONE = new SavedSnapshots(List.of());

  private static final int EACH = Long.BYTES + Long.BYTES + Integer.BYTES;

  /** With one more, in place of an equally old one; of too many the oldest goes. */
  SavedSnapshots with(SavedSnapshot snapshot, int max) {
    TreeMap<Long, SavedSnapshot> bySequenceNr = new TreeMap<>();
    saved.forEach(each -> bySequenceNr.put(each.sequenceNr(), each));
    bySequenceNr.put(snapshot.sequenceNr(), snapshot);
    while (bySequenceNr.size() > max) {
      bySequenceNr.pollFirstEntry();
    }
    return new SavedSnapshots(List.copyOf(bySequenceNr.values()));
  }

  SavedSnapshots without(SnapshotRange range) {
    return new SavedSnapshots(saved.stream().filter(each -> !range.includes(each)).toList());
  }

  byte[] encode() {
    int size = Integer.BYTES;
    for (SavedSnapshot each : saved) {
      size += EACH + each.content().size();
    }
    ByteBuffer out = ByteBuffer.allocate(size).putInt(saved.size());
    for (SavedSnapshot each : saved) {
      out.putLong(each.sequenceNr()).putLong(each.timestamp()).putInt(each.content().size());
      out.put(each.content().array());
    }
    return out.array();
  }

  static SavedSnapshots decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int count = in.getInt();
    List<SavedSnapshot> saved = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long sequenceNr = in.getLong();
      long timestamp = in.getLong();
      byte[] content = new byte[in.getInt()];
      in.get(content);
      saved.add(new SavedSnapshot(sequenceNr, timestamp, Bytes.of(content)));
    }
    return new SavedSnapshots(saved);
  }
}
