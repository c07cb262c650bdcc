package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Prints a log directory as text, one line a record, without changing it. A damaged file is printed
 * as far as it can be read, then what is wrong with it.
 *
 * <p>It must not run on the directory of a running node, whose last batch may be half written.
 */
public final class LogPrinter implements LogRecords {

  /** The bytes of a payload that are shown. */
  private static final int SHOWN_BYTES = 48;

  private final Appendable out;

  public LogPrinter(Appendable out) {
    this.out = out;
  }

  /** Prints all segments and snapshots, in order. */
  public void print(Disk disk) throws IOException {
    List<String> names = disk.list().stream().sorted().toList();
    for (String name : names) {
      if (name.endsWith(SegmentHeader.SUFFIX) || name.endsWith(SnapshotFileFormat.SUFFIX)) {
        try {
          printFile(disk, name);
        } catch (LogDamaged e) {
          line("DAMAGED " + e.getMessage());
        }
      } else if (name.endsWith(".tmp")) {
        line("file " + name + " unfinished, removed at the next start");
      }
    }
  }

  private void printFile(Disk disk, String name) throws IOException {
    if (name.endsWith(SnapshotFileFormat.SUFFIX)) {
      printSnapshot(disk, name);
      return;
    }
    try (DiskFile file = disk.open(name)) {
      printSegment(name, bytes(file, Math.toIntExact(file.size())));
    }
  }

  private void printSegment(String name, ByteBuffer bytes) {
    SegmentHeader header = SegmentHeader.decode(name, bytes);
    line(
        "segment %s of %s, %d bytes, from batch %d, after %d/%d, %s"
            .formatted(
                name,
                describe(header.identity()),
                header.segmentBytes(),
                header.firstSequence(),
                header.lastTerm(),
                header.lastIndex(),
                header.hardState()));
    SegmentScan scan = new SegmentScan(header, bytes, new BatchDecoder());
    while (scan.next()) {
      BatchHeader batch = scan.batch();
      if (batch != null) {
        line(
            " batch %d at %d, %d records, %d bytes, confirms %d"
                .formatted(
                    batch.sequence(),
                    scan.offset(),
                    batch.records(),
                    batch.bodyBytes(),
                    batch.confirmed()));
      }
      scan.replay(this);
    }
    line(" end at %d%s".formatted(scan.offset(), scan.isTorn() ? ", then a torn write" : ""));
  }

  private void printSnapshot(Disk disk, String name) throws IOException {
    LogIdentity owner;
    try (DiskFile file = disk.open(name)) {
      owner = SnapshotFileFormat.identity(name, bytes(file, SnapshotFileFormat.HEADER_BYTES));
    }
    SnapshotFile snapshot = SnapshotFile.open(disk, name, owner);
    snapshot.close();
    line(
        "snapshot %s of %s, %s, fingerprint %016x, cluster %d, members %s from %d"
            .formatted(
                name,
                describe(owner),
                snapshot.meta(),
                snapshot.meta().fingerprint(),
                snapshot.meta().formation().clusterId(),
                snapshot.meta().configuration(),
                snapshot.meta().configurationIndex()));
  }

  @Override
  public void entry(Entry entry) {
    line("  entry " + entry + " " + text(entry.payload()));
  }

  @Override
  public void hardState(HardState hardState) {
    line("  hard state " + hardState);
  }

  @Override
  public void truncated(long from, long termBefore) {
    line("  truncated from %d, after term %d".formatted(from, termBefore));
  }

  @Override
  public void reset(long index, long term) {
    line("  reset to %d/%d".formatted(term, index));
  }

  @Override
  public void continued(long nextSegment) {
    line("  continued in " + SegmentHeader.name(nextSegment));
  }

  private static String describe(LogIdentity identity) {
    return "member %s group %d cluster %d"
        .formatted(identity.member(), identity.group(), identity.clusterId());
  }

  /** The beginning of a payload: as text if it is, else as numbers. */
  private static String text(byte[] payload) {
    StringBuilder shown = new StringBuilder("[").append(payload.length).append("] ");
    int length = Math.min(payload.length, SHOWN_BYTES);
    for (int i = 0; i < length; i++) {
      if (payload[i] < ' ' || payload[i] > '~') {
        for (int at = 0; at < length; at++) {
          shown.append("%02x".formatted(payload[at]));
        }
        return shown.append(length < payload.length ? "…" : "").toString();
      }
    }
    return shown
        .append(new String(payload, 0, length, StandardCharsets.US_ASCII))
        .append(length < payload.length ? "…" : "")
        .toString();
  }

  private static ByteBuffer bytes(DiskFile file, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    file.read(bytes, 0);
    return bytes.flip();
  }

  private void line(String text) {
    try {
      out.append(text).append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
