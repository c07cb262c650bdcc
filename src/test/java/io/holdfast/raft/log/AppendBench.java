package io.holdfast.raft.log;

import com.sun.management.ThreadMXBean;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Ready;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Measures write and sync on a real, empty directory: {@code AppendBench <directory>}. */
final class AppendBench {

  private static final int PAYLOAD_BYTES = 100;

  private AppendBench() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    bare(new FileDisk(directory), 4000);
    SplittableRandom salts = new SplittableRandom();
    try (WriteAheadLog log =
        WriteAheadLog.open(
            new FileDisk(directory),
            LogWorld.IDENTITY,
            LogSettings.DEFAULT,
            salts::nextLong,
            true)) {
      boolean more = true;
      while (more) {
        more = log.prepare();
      }
      for (int entries : new int[] {1, 1, 64, 256, 1}) {
        measure(log, entries, 4000);
      }
    }
    long start = System.nanoTime();
    try (WriteAheadLog log =
        WriteAheadLog.open(
            new FileDisk(directory), LogWorld.IDENTITY, LogSettings.DEFAULT, () -> 1, false)) {
      System.out.printf(
          "open: %d entries in %d ms%n", log.lastIndex(), (System.nanoTime() - start) / 1_000_000);
    }
  }

  /** The cost of the disk itself: 4 KiB into space that was written before, and a sync. */
  private static void bare(Disk disk, int rounds) throws IOException {
    long[] nanos = new long[rounds];
    ByteBuffer bytes = ByteBuffer.allocateDirect(4096);
    try (DiskFile file = disk.create("bare")) {
      for (int pass = 0; pass < 2; pass++) {
        for (int round = 0; round < rounds; round++) {
          long start = System.nanoTime();
          file.write(bytes.clear(), 4096L * round);
          if (pass == 1 || round == rounds - 1) {
            file.force(false);
          }
          nanos[round] = System.nanoTime() - start;
        }
      }
    }
    disk.delete("bare");
    Arrays.sort(nanos);
    System.out.printf(
        "bare 4 KiB: write+sync p50 %.1f p99 %.1f us%n",
        nanos[rounds / 2] / 1e3, nanos[rounds * 99 / 100] / 1e3);
  }

  private static void measure(WriteAheadLog log, int entries, int rounds) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<Ready> readies = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      long index = log.lastIndex() + 1 + (long) round * entries;
      List<Entry> batch = new ArrayList<>();
      for (int i = 0; i < entries; i++) {
        batch.add(new Entry(1, index + i, EntryKind.PROPOSAL, new byte[PAYLOAD_BYTES]));
      }
      readies.add(LogWorld.ready(new HardState(1, null, index - 1), batch, List.of(), null));
    }
    long[] writeNanos = new long[rounds];
    long[] bothNanos = new long[rounds];
    long allocated = threads.getCurrentThreadAllocatedBytes();
    for (int round = 0; round < rounds; round++) {
      long start = System.nanoTime();
      log.write(readies.get(round));
      long written = System.nanoTime();
      log.sync();
      writeNanos[round] = written - start;
      bothNanos[round] = System.nanoTime() - start;
    }
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    Arrays.sort(writeNanos);
    Arrays.sort(bothNanos);
    System.out.printf(
        "%3d entries: write p50 %.1f us; write+sync p50 %.1f p99 %.1f max %.1f us; %d B"
            + " allocated%n",
        entries,
        writeNanos[rounds / 2] / 1e3,
        bothNanos[rounds / 2] / 1e3,
        bothNanos[rounds * 99 / 100] / 1e3,
        bothNanos[rounds - 1] / 1e3,
        allocated / rounds);
  }
}
