package io.holdfast.raft.log;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Goes through the batches of one segment and decides where, and how, it ends. */
final class SegmentScan {

  /* Where does a log end, and is that where it should?
   *
   * A batch is acknowledged when the sync after it returned. An interrupted write may have left any
   * of its blocks and any beginning of one block; such a tail was acknowledged to nobody and is cut
   * off. Everything else that does not read as written is damage, and cutting it off would lose what was
   * acknowledged. Three facts tell the two apart.
   *
   * 1. The blocks of a segment are zero, durably, before the segment is used, and are written once;
   *    a repair zeroes them again. What a power cut can leave in a block is therefore a beginning of
   *    what was written, then zeros. A block that ends in its mark (see Blocks) was written whole:
   *    if a batch does not check out although all its blocks are marked, no power cut did that.
   *
   * 2. A batch names the last batch that was durable before it was written ("confirmed"). If any
   *    batch further on confirms the one that cannot be read, that one was durable, so it is damaged.
   *    Batches further on that do not confirm it were part of the same unsynced tail: they reached
   *    the disk before it did, and go with it.
   *
   * 3. A segment is synced before the next one exists, so only the last segment has an unsynced
   *    tail; and it says where it continues only after the name of the next is durable.
   *
   * A block that lost its mark is taken for a torn one. If only the mark is gone, the batch checks
   * out and is kept. So no single changed byte of an acknowledged batch is ever taken for a torn
   * write: it breaks a checksum, and then the marks are all there. What cannot be told from a torn
   * write is a disk that returned success and then lost the end of the very last batch, in whole
   * blocks; the next batch closes that gap by confirming it.
   *
   * Checksums of batch headers cover the segment's random salt and the offset, so that no payload
   * can be taken for a batch.
   */

  private final String file;
  private final SegmentHeader segment;
  private final ByteBuffer bytes;
  private final BatchDecoder decoder;
  private int at = Blocks.SIZE;
  private long sequence;
  private @Nullable BatchHeader loaded;

  SegmentScan(SegmentHeader segment, ByteBuffer bytes, BatchDecoder decoder) {
    this.file = segment.name();
    this.segment = segment;
    this.bytes = bytes;
    this.decoder = decoder;
    this.sequence = segment.firstSequence();
  }

  /** True if there is another batch, which is loaded then. */
  boolean next() {
    if (loaded != null) {
      at += loaded.sizeOnDisk();
      sequence++;
      loaded = null;
    }
    if (at >= bytes.limit()) {
      return false;
    }
    BatchHeader header = BatchHeader.decode(bytes, at, segment, at);
    String wrong = header == null ? "no batch begins here" : wrongWith(header);
    if (wrong == null) {
      loaded = header;
      return true;
    }
    int blocks = header == null ? Blocks.SIZE : header.sizeOnDisk();
    if (areMarked(blocks)) {
      throw new LogDamaged(file, at, wrong + ", although it was written to its end");
    }
    refuseIfConfirmed();
    return false;
  }

  private @Nullable String wrongWith(BatchHeader header) {
    if (header.sequence() != sequence || header.confirmed() >= sequence) {
      throw new LogDamaged(
          file, at, "batch [%d] stands where [%d] belongs".formatted(header.sequence(), sequence));
    }
    if (header.sizeOnDisk() > bytes.limit() - at) {
      throw new LogDamaged(file, at, "a batch reaches beyond the end of the file");
    }
    return decoder.load(header, bytes, at);
  }

  private boolean areMarked(int size) {
    for (int block = at; block < at + size; block += Blocks.SIZE) {
      if (!Blocks.isMarked(bytes, block)) {
        return false;
      }
    }
    return true;
  }

  private void refuseIfConfirmed() {
    for (int later = at; later < bytes.limit(); later += Blocks.SIZE) {
      BatchHeader header = BatchHeader.decode(bytes, later, segment, later);
      if (header != null && header.confirmed() >= sequence) {
        throw new LogDamaged(
            file,
            at,
            "batch [%d] is not readable, but was durable when batch [%d] at [%d] was written"
                .formatted(sequence, header.sequence(), later));
      }
    }
  }

  /** Gives the records of the batch that was found last. */
  void replay(LogRecords into) {
    if (loaded == null) {
      throw new IllegalStateException("no batch is loaded");
    }
    try {
      decoder.replay(loaded, into);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new LogDamaged(file, at, "batch [%d]: %s".formatted(sequence, e.getMessage()));
    }
  }

  /** The offset of the batch that was found last; at the end, that of the next one. */
  int offset() {
    return at;
  }

  /** The number of the batch that was found last; at the end, of the next one. */
  long sequence() {
    return sequence;
  }

  /** The header of the batch that was found last. */
  @Nullable BatchHeader batch() {
    return loaded;
  }

  /** True if anything at all was written to the segment behind its header. */
  boolean isUnused() {
    return Blocks.firstNonZero(bytes, Blocks.SIZE) == bytes.limit();
  }

  /** True if an interrupted write left something behind the last batch. */
  boolean isTorn() {
    return at < bytes.limit() && Blocks.firstNonZero(bytes, at) < bytes.limit();
  }

  /** The blocks behind the last batch that carry a mark. */
  List<Integer> markedFromHere() {
    List<Integer> marked = new ArrayList<>();
    for (int block = at; block < bytes.limit(); block += Blocks.SIZE) {
      if (Blocks.isMarked(bytes, block)) {
        marked.add(block);
      }
    }
    return marked;
  }

  /** The bytes of the file behind the last batch. */
  int bytesFromHere() {
    return bytes.limit() - at;
  }
}
