package io.holdfast.raft.log;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** One complete snapshot file, open to read. */
final class SnapshotFile {

  private final String name;
  private final DiskFile file;
  private final SnapshotMeta meta;

  private SnapshotFile(String name, DiskFile file, SnapshotMeta meta) {
    this.name = name;
    this.file = file;
    this.meta = meta;
  }

  /** Opens a snapshot and checks every byte of it. */
  static SnapshotFile open(Disk disk, String name, LogIdentity identity) throws IOException {
    return open(disk, name, identity, /* check= */ true);
  }

  /** Opens a snapshot that this process has written and summed up itself. */
  static SnapshotFile openWritten(Disk disk, String name, LogIdentity identity) throws IOException {
    return open(disk, name, identity, /* check= */ false);
  }

  private static SnapshotFile open(Disk disk, String name, LogIdentity identity, boolean check)
      throws IOException {
    DiskFile file = disk.open(name);
    try {
      SnapshotFile snapshot = new SnapshotFile(name, file, readMeta(name, file, identity));
      if (check) {
        snapshot.check();
      }
      return snapshot;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  SnapshotMeta meta() {
    return meta;
  }

  String name() {
    return name;
  }

  /** Up to {@code length} bytes of the state from an offset on. */
  Bytes read(long offset, int length) throws IOException {
    byte[] bytes = new byte[(int) Math.max(0, Math.min(length, meta.size() - offset))];
    for (int at = 0; at < bytes.length; ) {
      long chunk = (offset + at) / SnapshotFileFormat.CHUNK_BYTES;
      int skip = (int) ((offset + at) % SnapshotFileFormat.CHUNK_BYTES);
      ByteBuffer content = chunk(chunk);
      int part = Math.min(content.remaining() - skip, bytes.length - at);
      content.get(content.position() + skip, bytes, at, part);
      at += part;
    }
    return Bytes.of(bytes);
  }

  /** All bytes of the state, in order. The stream fails with the file and need not be closed. */
  InputStream stream(FirstFailure failure) {
    return new InputStream() {
      private long at;

      @Override
      public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        int chunkLeft =
            (int) (SnapshotFileFormat.CHUNK_BYTES - at % SnapshotFileFormat.CHUNK_BYTES);
        int wanted = Math.min(length, chunkLeft);
        Bytes bytes =
            failure.guard("read [" + name + "]", () -> SnapshotFile.this.read(at, wanted));
        System.arraycopy(bytes.array(), 0, into, offset, bytes.size());
        at += bytes.size();
        return bytes.size() == 0 && length > 0 ? -1 : bytes.size();
      }
    };
  }

  void close() throws IOException {
    file.close();
  }

  private static SnapshotMeta readMeta(String name, DiskFile file, LogIdentity identity)
      throws IOException {
    long length = file.size();
    if (length < SnapshotFileFormat.HEADER_BYTES + SnapshotFileFormat.TRAILER_BYTES) {
      throw new LogDamaged(name, length, "the file is too short for a snapshot");
    }
    LogIdentity owner =
        SnapshotFileFormat.identity(name, bytes(file, 0, SnapshotFileFormat.HEADER_BYTES));
    String conflict = identity.conflictWith(owner);
    if (!conflict.isEmpty()) {
      throw new LogDamaged(name, 12, conflict);
    }
    long end = length - SnapshotFileFormat.TRAILER_BYTES;
    int footer =
        SnapshotFileFormat.footerBytes(
            name, end, bytes(file, end, SnapshotFileFormat.TRAILER_BYTES));
    SnapshotMeta meta =
        SnapshotFileFormat.meta(name, end - footer, bytes(file, end - footer, footer));
    if (SnapshotFileFormat.footerAt(meta.size()) != end - footer
        || !name.equals(SnapshotFileFormat.name(meta))) {
      throw new LogDamaged(name, end - footer, "the footer is not that of this file");
    }
    return meta;
  }

  private void check() throws IOException {
    Fingerprint fingerprint = new Fingerprint();
    for (long chunk = 0; chunk < SnapshotFileFormat.chunks(meta.size()); chunk++) {
      byte[] content =
          read(chunk * SnapshotFileFormat.CHUNK_BYTES, SnapshotFileFormat.CHUNK_BYTES).array();
      fingerprint.update(content, 0, content.length);
    }
    if (fingerprint.value() != meta.fingerprint()) {
      throw new LogDamaged(name, 0, "the state is not the one that its fingerprint names");
    }
  }

  private ByteBuffer chunk(long chunk) throws IOException {
    long from = chunk * SnapshotFileFormat.CHUNK_BYTES;
    int length = (int) Math.min(SnapshotFileFormat.CHUNK_BYTES, meta.size() - from);
    long at = SnapshotFileFormat.chunkAt(chunk);
    ByteBuffer all = bytes(file, at, SnapshotFileFormat.CHUNK_FRAME_BYTES + length);
    int expected = all.getInt();
    if (all.remaining() != length
        || expected != SnapshotFileFormat.checksum(new CRC32C(), chunk, all.duplicate())) {
      throw new LogDamaged(name, at, "the checksum of chunk [" + chunk + "] does not match");
    }
    return all;
  }

  private static ByteBuffer bytes(DiskFile file, long position, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    file.read(bytes, position);
    return bytes.flip();
  }
}
