package io.holdfast.raft.log;

/**
 * The sizes of a log.
 *
 * @param segmentBytes the size of a new segment file; those that exist keep theirs
 * @param batchBytes the size at which a batch is closed and the next begins; a larger record stands
 *     alone
 * @param cachedBytes the size of the newest entries that are kept in memory
 */
public record LogSettings(int segmentBytes, int batchBytes, long cachedBytes) {

  /** The largest segment: offsets must fit in 31 bits. */
  public static final int MAX_SEGMENT_BYTES = 1 << 30;

  public static final LogSettings DEFAULT =
      new LogSettings(
          64 << 20, // segmentBytes
          1 << 20, // batchBytes
          8L << 20); // cachedBytes

  public LogSettings {
    if (segmentBytes < 8 * Blocks.SIZE
        || segmentBytes > MAX_SEGMENT_BYTES
        || segmentBytes % Blocks.SIZE != 0) {
      throw new IllegalArgumentException(
          "segment of [%d] bytes is not a multiple of [%d] in [%d, %d]"
              .formatted(segmentBytes, Blocks.SIZE, 8 * Blocks.SIZE, MAX_SEGMENT_BYTES));
    }
    if (batchBytes < 1 || batchBytes > segmentBytes) {
      throw new IllegalArgumentException(
          "batch of [%d] bytes is outside [1, %d]".formatted(batchBytes, segmentBytes));
    }
    if (cachedBytes < 0) {
      throw new IllegalArgumentException("cache of [" + cachedBytes + "] bytes");
    }
  }

  /** The largest payload of an entry: it stands in one segment, with what surrounds it. */
  public int maxPayloadBytes() {
    int content = (segmentBytes / Blocks.SIZE - 2) * Blocks.CONTENT;
    return content - BatchHeader.BYTES - RecordCodec.FRAME_BYTES - RecordCodec.ENTRY_BYTES;
  }
}
