package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The writing end of a log: gathers batches, writes them to the last segment, and moves on to the
 * next.
 */
final class LogTail {

  /* Group commit: everything a Ready carries becomes one batch, and any number of batches become
   * durable by one fdatasync into blocks that were allocated and written before, so that no
   * metadata is due. When a batch does not fit, the log moves on to the next segment in an order
   * that leaves a recoverable log at every step: sync the old segment; make the next one durable
   * with its name; only then say in the old one, durably, that the log continues there; only then
   * write to the next. So a missing last segment is noticed, and one that was never used is not
   * missed.
   */

  private final Disk disk;
  private final LogIdentity identity;
  private final LogSettings settings;
  private final LongSupplier salts;
  private final LogContent content;
  private final NavigableMap<Long, Segment> segments;
  private final SpareSegment spare;
  private final BatchEncoder encoder;
  private Segment active;
  private @Nullable Segment syncing;
  private long nextSequence;
  private long confirmed;
  private HardState writtenHardState;
  private long writtenIndex;
  private long writtenTerm;

  /** Goes on where {@code content} ends, or begins the first segment if there is none. */
  LogTail(
      Disk disk,
      LogIdentity identity,
      LogSettings settings,
      LongSupplier salts,
      LogContent content,
      NavigableMap<Long, Segment> segments,
      long nextSequence)
      throws IOException {
    this.disk = disk;
    this.identity = identity;
    this.settings = settings;
    this.salts = salts;
    this.content = content;
    this.segments = segments;
    this.nextSequence = nextSequence;
    confirmed = nextSequence - 1;
    spare = new SpareSegment(disk, settings.segmentBytes());
    encoder = new BatchEncoder(settings.batchBytes());
    writtenHardState = content.hardState();
    writtenIndex = content.entries().last();
    writtenTerm = content.entries().term(writtenIndex);
    if (segments.isEmpty()) {
      segments.put(1L, spare.activate(header(1, nextSequence)));
    }
    active = segments.lastEntry().getValue();
  }

  /** Empties the log, which goes on after a snapshot; written with the next {@link #append}. */
  void resetTo(long index, long term) {
    encoder.reset(index, term);
    content.reset(index, term);
  }

  /** Writes what was gathered and this; not durable yet. */
  void append(@Nullable HardState hardState, List<Entry> entries) throws IOException {
    if (hardState != null) {
      encoder.hardState(hardState);
      content.hardState(hardState);
    }
    for (Entry entry : entries) {
      int bytes = BatchEncoder.sizeOf(entry);
      if (!encoder.isEmpty() && encoder.bodyBytes() + bytes > settings.batchBytes()) {
        flush();
      }
      if (entry.index() <= content.entries().last()) {
        truncateFrom(entry.index()); // in one batch with what takes its place
      }
      encoder.entry(entry);
      content.entry(entry);
    }
    flush();
  }

  /** Makes durable what was written, by one sync of one file. */
  void sync() throws IOException {
    if (confirmed < nextSequence - 1) {
      active.force();
      confirmed = nextSequence - 1;
    }
  }

  /** A sync of what is written so far, to be done on any thread; null if all is durable. */
  @Nullable Syncing beginSync() {
    if (confirmed == nextSequence - 1) {
      return null;
    }
    syncing = active;
    return new Syncing(active, nextSequence - 1);
  }

  /** Notes that the sync has returned. */
  void synced(Syncing done) {
    syncing = null;
    confirmed = Math.max(confirmed, done.sequence);
  }

  /** One sync, of one segment. */
  record Syncing(Segment segment, long sequence) {}

  /** True if the next segment is ready to be used. */
  boolean isPrepared() {
    return spare.isComplete();
  }

  /** Fills some of the next segment; says whether there is more to do. */
  boolean prepare() throws IOException {
    return spare.prepare();
  }

  /** Deletes the segments in which all entries come before {@code first}. */
  void deleteBefore(long first) throws IOException {
    while (segments.size() > 1) {
      Segment oldest = segments.firstEntry().getValue();
      Segment second = segments.higherEntry(oldest.header().number()).getValue();
      if (second.header().lastIndex() >= first) {
        return;
      }
      if (oldest == syncing) {
        return; // another thread has it; next time
      }
      segments.pollFirstEntry();
      oldest.file().close();
      disk.delete(oldest.header().name());
      disk.force(); // before the next, so that a crash leaves no hole
    }
  }

  void close() throws IOException {
    for (Segment segment : segments.values()) {
      segment.file().close();
    }
    spare.close();
  }

  private void truncateFrom(long index) {
    long termBefore = content.entries().term(index - 1);
    encoder.truncated(index, termBefore);
    content.truncated(index, termBefore);
  }

  private void flush() throws IOException {
    if (encoder.isEmpty()) {
      return;
    }
    if (!active.hasRoomFor(encoder.sizeOnDisk())) {
      moveOn();
    }
    long place = active.place();
    active.write(encoder.finish(nextSequence, confirmed, active.header(), active.end()));
    nextSequence++;
    content.entries().place(place);
    noteWritten();
  }

  private void moveOn() throws IOException {
    sync();
    long number = active.header().number() + 1;
    Segment next = spare.activate(header(number, nextSequence + 1));
    BatchEncoder last = new BatchEncoder(RecordCodec.FRAME_BYTES + RecordCodec.SMALL_BYTES);
    last.continued(number);
    active.write(last.finish(nextSequence, confirmed, active.header(), active.end()));
    nextSequence++;
    sync();
    segments.put(number, next);
    active = next;
  }

  /** The header of the next segment: the log as written so far, not as gathered. */
  private SegmentHeader header(long number, long firstSequence) {
    return new SegmentHeader(
        identity.in(content.clusterId()),
        number,
        settings.segmentBytes(),
        salts.getAsLong(),
        firstSequence,
        writtenIndex,
        writtenTerm,
        writtenHardState);
  }

  private void noteWritten() {
    writtenHardState = content.hardState();
    writtenIndex = content.entries().last();
    writtenTerm = content.entries().term(writtenIndex);
  }
}
