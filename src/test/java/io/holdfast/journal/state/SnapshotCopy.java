package io.holdfast.journal.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;

/** Writes and reads snapshots in memory. */
final class SnapshotCopy {

  private SnapshotCopy() {}

  static JournalState readBack(JournalVersion version, Bounds bounds) {
    return read(write(version), bounds);
  }

  static byte[] write(JournalVersion version) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    version.writeTo((bytes, from, to) -> out.write(bytes, from, to - from));
    return out.toByteArray();
  }

  static JournalState read(byte[] bytes, Bounds bounds) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    return SnapshotReader.read((into, from, to) -> in.read(into, from, to - from), bounds);
  }
}
