package io.holdfast.raft.log;

import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.MemberId;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The first block of a segment: whose it is, where it stands in the log, and the state of the log
 * before it, so that all segments before can be deleted.
 *
 * @param number 1 for the first, rising by one
 * @param segmentBytes the size of the file
 * @param salt a random number, mixed into the checksums of the segment's batches
 * @param firstSequence the number of its first batch
 * @param lastIndex the last entry before it
 * @param lastTerm the term of that entry
 * @param hardState the last before it
 */
record SegmentHeader(
    LogIdentity identity,
    long number,
    int segmentBytes,
    long salt,
    long firstSequence,
    long lastIndex,
    long lastTerm,
    HardState hardState) {

  /** The format that is written; a higher one cannot be read. */
  static final int VERSION = 1;

  static final String SUFFIX = ".segment";

  private static final long MAGIC = 0x484f4c4446535447L; // HOLDFSTG
  private static final int BYTES = 8 + 4 + 8 + 4 + 8 + 8 + 4 + 8 + 8 + 8 + 8 + 24;

  static String name(long number) {
    return "%016x".formatted(number) + SUFFIX;
  }

  String name() {
    return name(number);
  }

  ByteBuffer encode() {
    ByteBuffer content = ByteBuffer.allocate(BYTES + Integer.BYTES);
    content.putLong(MAGIC).putInt(VERSION);
    content.putLong(identity.clusterId()).putInt(identity.group());
    content.putLong(identity.member().value());
    content.putLong(number).putInt(segmentBytes).putLong(salt).putLong(firstSequence);
    content.putLong(lastIndex).putLong(lastTerm);
    MemberId vote = hardState.vote();
    content.putLong(hardState.term()).putLong(vote == null ? 0 : vote.value());
    content.putLong(hardState.commit());
    content.putInt(checksum(content.array()));
    ByteBuffer block = ByteBuffer.allocate(Blocks.SIZE);
    Blocks.mark(content, content.position(), block);
    return block;
  }

  /** Reads the header of the file with this name. */
  static SegmentHeader decode(String file, ByteBuffer segment) {
    if (segment.limit() < Blocks.SIZE) {
      throw new LogDamaged(file, segment.limit(), "the file ends within its header");
    }
    ByteBuffer in = ByteBuffer.allocate(BYTES + Integer.BYTES);
    Blocks.unmark(segment, 0, in.capacity(), in);
    if (in.getLong() != MAGIC) {
      throw new LogDamaged(file, 0, "this is not the header of a log segment");
    }
    int version = in.getInt();
    if (version != VERSION) {
      throw new LogDamaged(
          file, 8, "format version [%d] is unknown, this is [%d]".formatted(version, VERSION));
    }
    if (in.getInt(BYTES) != checksum(in.array())) {
      throw new LogDamaged(file, 0, "the checksum of the header does not match");
    }
    try {
      long cluster = in.getLong();
      LogIdentity identity = new LogIdentity(cluster, in.getInt(), new MemberId(in.getLong()));
      return new SegmentHeader(
          identity,
          in.getLong(),
          in.getInt(),
          in.getLong(),
          in.getLong(),
          in.getLong(),
          in.getLong(),
          RecordCodec.hardState(in));
    } catch (IllegalArgumentException e) {
      throw new LogDamaged(file, 0, "the header makes no sense: " + e.getMessage());
    }
  }

  private static int checksum(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, BYTES);
    return (int) crc.getValue();
  }
}
