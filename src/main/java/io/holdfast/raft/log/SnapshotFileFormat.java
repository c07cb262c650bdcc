package io.holdfast.raft.log;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.SnapshotMeta;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The bytes of a snapshot file: a header, chunks with a checksum each, a footer. */
final class SnapshotFileFormat {

  /** The format that is written; a higher one cannot be read. */
  static final int VERSION = 1;

  static final String SUFFIX = ".snapshot";

  /** The bytes of the state that one chunk carries; the last one carries the rest. */
  static final int CHUNK_BYTES = 64 << 10;

  static final int CHUNK_FRAME_BYTES = 4;
  static final int HEADER_BYTES = 8 + 4 + 8 + 4 + 8 + 4 + 4;

  /** The end of the file: the footer's length, and a mark. */
  static final int TRAILER_BYTES = 4 + 4;

  private static final long MAGIC = 0x484f4c4446535350L; // HOLDFSSP
  private static final int END = 0x48465345; // HFSE

  private SnapshotFileFormat() {}

  static String name(SnapshotMeta meta) {
    return "%016x-%016x".formatted(meta.index(), meta.fingerprint()) + SUFFIX;
  }

  static ByteBuffer header(LogIdentity identity) {
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES);
    out.putLong(MAGIC).putInt(VERSION);
    out.putLong(identity.clusterId()).putInt(identity.group());
    out.putLong(identity.member().value()).putInt(CHUNK_BYTES);
    out.putInt(checksum(out, out.position()));
    return out.flip();
  }

  static LogIdentity identity(String file, ByteBuffer in) {
    if (in.remaining() < HEADER_BYTES || in.getLong(0) != MAGIC) {
      throw new LogDamaged(file, 0, "this is not the header of a snapshot");
    }
    int version = in.getInt(8);
    if (version != VERSION) {
      throw new LogDamaged(
          file, 8, "format version [%d] is unknown, this is [%d]".formatted(version, VERSION));
    }
    if (in.getInt(HEADER_BYTES - 4) != checksum(in, HEADER_BYTES - 4)
        || in.getInt(32) != CHUNK_BYTES) {
      throw new LogDamaged(file, 0, "the checksum of the header does not match");
    }
    return new LogIdentity(in.getLong(12), in.getInt(20), new MemberId(in.getLong(24)));
  }

  /** Footer and trailer. */
  static ByteBuffer footer(SnapshotMeta meta) {
    byte[] formation = MemberCodec.encode(meta.formation());
    byte[] configuration = MemberCodec.encode(meta.configuration());
    int length = 5 * 8 + 4 + formation.length + 4 + configuration.length + 4;
    ByteBuffer out = ByteBuffer.allocate(length + TRAILER_BYTES);
    out.putLong(meta.index()).putLong(meta.term()).putLong(meta.configurationIndex());
    out.putLong(meta.size()).putLong(meta.fingerprint());
    out.putInt(formation.length).put(formation);
    out.putInt(configuration.length).put(configuration);
    out.putInt(checksum(out, out.position()));
    out.putInt(length).putInt(END);
    return out.flip();
  }

  /** The length of the footer, from the trailer. */
  static int footerBytes(String file, long fileBytes, ByteBuffer trailer) {
    int length = trailer.getInt(0);
    if (trailer.getInt(4) != END || length < 0 || length > fileBytes - HEADER_BYTES) {
      throw new LogDamaged(file, fileBytes - TRAILER_BYTES, "the end of the snapshot is missing");
    }
    return length;
  }

  static SnapshotMeta meta(String file, long offset, ByteBuffer footer) {
    int checked = footer.limit() - 4;
    if (checked < 0 || footer.getInt(checked) != checksum(footer, checked)) {
      throw new LogDamaged(file, offset, "the checksum of the footer does not match");
    }
    try {
      long index = footer.getLong();
      long term = footer.getLong();
      long configurationIndex = footer.getLong();
      long size = footer.getLong();
      long fingerprint = footer.getLong();
      Formation formation = MemberCodec.formation(bytes(footer));
      Configuration configuration = MemberCodec.configuration(bytes(footer));
      return new SnapshotMeta(
          index, term, formation, configuration, configurationIndex, size, fingerprint);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new LogDamaged(file, offset, "the footer makes no sense: " + e.getMessage());
    }
  }

  static long chunks(long size) {
    return (size + CHUNK_BYTES - 1) / CHUNK_BYTES;
  }

  /** The offset of a chunk in the file. */
  static long chunkAt(long chunk) {
    return HEADER_BYTES + chunk * (CHUNK_FRAME_BYTES + CHUNK_BYTES);
  }

  /** The offset of the footer. */
  static long footerAt(long size) {
    return HEADER_BYTES + size + chunks(size) * CHUNK_FRAME_BYTES;
  }

  /** The checksum of a chunk, which also says which one it is. */
  static int checksum(CRC32C crc, long chunk, ByteBuffer content) {
    crc.reset();
    for (int shift = 56; shift >= 0; shift -= 8) {
      crc.update((int) (chunk >>> shift));
    }
    crc.update(content);
    return (int) crc.getValue();
  }

  private static byte[] bytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("[" + length + "] bytes do not fit");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static int checksum(ByteBuffer bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().clear().limit(length));
    return (int) crc.getValue();
  }
}
