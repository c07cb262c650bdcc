package io.holdfast.raft.log;

import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log back: all checks first, then the repair of an interrupted write, then everything that
 * was read is made durable. Nothing is changed on a disk that fails a check.
 */
final class Recovery {

  private final Disk disk;
  private final LogIdentity identity;
  private final LogContent content;
  private final BatchDecoder decoder = new BatchDecoder();
  private final TreeMap<Long, Segment> segments = new TreeMap<>();
  private @Nullable SegmentScan lastScan;
  private @Nullable Segment unfinished;
  private long nextSequence = 1;

  Recovery(Disk disk, LogIdentity identity, LogContent content) {
    this.disk = disk;
    this.identity = identity;
    this.content = content;
  }

  /** The segments by number, ready to be written on. Empty for a new directory. */
  NavigableMap<Long, Segment> run(@Nullable SnapshotMeta snapshot) throws IOException {
    try {
      if (identity.clusterId() != 0) {
        content.formed(identity.clusterId());
      }
      if (snapshot != null) {
        content.formed(snapshot.formation().clusterId());
      }
      List<Long> numbers = numbers();
      for (int i = 0; i < numbers.size(); i++) {
        read(numbers.get(i), i == numbers.size() - 1);
      }
      refuseGapTo(snapshot);
      repair();
      return segments;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The number of the next batch. */
  long nextSequence() {
    return nextSequence;
  }

  private List<Long> numbers() throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (String name : disk.list()) {
      if (name.matches("[0-9a-f]{16}\\" + SegmentHeader.SUFFIX)) {
        numbers.add(Long.parseUnsignedLong(name.substring(0, 16), 16));
      }
    }
    numbers.sort(null);
    return numbers;
  }

  private void read(long number, boolean isLast) throws IOException {
    String name = SegmentHeader.name(number);
    DiskFile file = disk.open(name);
    segments.put(number, new Segment(placeholder(number), file, 0));
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
    file.read(bytes, 0);
    bytes.flip();
    SegmentHeader header = SegmentHeader.decode(name, bytes);
    checkHeader(header, name, bytes.limit(), number);
    SegmentScan scan = new SegmentScan(header, bytes, decoder);
    Segment before = lastScan == null ? null : segments.get(number - 1);
    if (before != null && content.continuedIn() != number) {
      if (isLast && scan.isUnused()) {
        unfinished = segments.remove(number);
        return;
      }
      throw new LogDamaged(before.header().name(), before.end(), "its last batches are missing");
    }
    checkOrder(header, before);
    long last = header.number() << 32;
    while (scan.next()) {
      scan.replay(content);
      content.entries().place(last | scan.offset());
    }
    if (isLast && content.continuedIn() == number + 1) {
      throw new LogDamaged(
          name,
          scan.offset(),
          "the next segment [" + SegmentHeader.name(number + 1) + "] is missing");
    }
    lastScan = scan;
    nextSequence = scan.sequence();
    segments.put(number, new Segment(header, file, scan.offset()));
  }

  private void checkHeader(SegmentHeader header, String name, int size, long number) {
    String conflict = identity.conflictWith(header.identity());
    if (conflict.isEmpty() && header.identity().clusterId() != 0) {
      try {
        content.formed(header.identity().clusterId());
      } catch (IllegalArgumentException e) {
        conflict = "it belongs to another cluster: " + e.getMessage();
      }
    }
    if (!conflict.isEmpty()) {
      throw new LogDamaged(name, 12, conflict);
    }
    if (header.number() != number) {
      throw new LogDamaged(name, 0, "it is segment [" + header.number() + "] by its header");
    }
    if (header.segmentBytes() != size) {
      throw new LogDamaged(
          name, size, "the file should be [" + header.segmentBytes() + "] bytes long");
    }
  }

  private void checkOrder(SegmentHeader header, @Nullable Segment before) {
    if (before == null) {
      if (!segments.firstKey().equals(header.number())) {
        String missing = SegmentHeader.name(header.number() - 1);
        throw new LogDamaged(missing, 0, "this segment is missing");
      }
      content.begin(header);
    } else if (header.firstSequence() != nextSequence || !content.agreesWith(header)) {
      throw new LogDamaged(header.name(), 0, "it does not continue the segment before it");
    }
  }

  private void refuseGapTo(@Nullable SnapshotMeta snapshot) {
    long covered = snapshot == null ? 0 : snapshot.index();
    if (segments.isEmpty()) {
      if (covered > 0) {
        throw new LogDamaged(SegmentHeader.name(1), 0, "there is a snapshot but no log segment");
      }
    } else if (content.entries().base() > covered) {
      throw new LogDamaged(
          segments.firstEntry().getValue().header().name(),
          0,
          "the log begins after entry [%d], but the newest whole snapshot ends at [%d]"
              .formatted(content.entries().base(), covered));
    }
  }

  private void repair() throws IOException {
    if (unfinished != null) {
      unfinished.file().close();
      disk.delete(SegmentHeader.name(unfinished.header().number()));
    }
    SegmentScan scan = lastScan;
    if (scan != null && scan.isTorn()) {
      cutOff(segments.lastEntry().getValue(), scan);
    }
    for (Segment segment : segments.values()) {
      segment.force();
    }
    disk.force();
  }

  /* A crash may tear this too, and what it leaves must still read as a torn write, never as damage.
   * Zeros written over a block could be torn before its mark, and leave a mark over nothing. So the
   * marks go first, each by a write of one byte, which cannot tear; then all the rest.
   */
  private static void cutOff(Segment last, SegmentScan scan) throws IOException {
    for (int block : scan.markedFromHere()) {
      last.file().write(ByteBuffer.allocate(1), block + Blocks.CONTENT);
    }
    last.force();
    last.file().write(ByteBuffer.allocate(scan.bytesFromHere()), last.end());
  }

  private void close() throws IOException {
    for (Segment segment : segments.values()) {
      segment.file().close();
    }
    if (unfinished != null) {
      unfinished.file().close();
    }
  }

  private SegmentHeader placeholder(long number) {
    return new SegmentHeader(identity, number, 0, 0, 0, 0, 0, io.holdfast.raft.core.HardState.NEW);
  }
}
