package io.holdfast.raft.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log on a real disk. */
class FileDiskTest {

  private static final LogSettings SETTINGS = new LogSettings(64 << 10, 4 << 10, 1000);

  @TempDir Path directory;

  private WriteAheadLog open() {
    return WriteAheadLog.open(
        new FileDisk(directory), LogWorld.IDENTITY, SETTINGS, () -> 12345, true);
  }

  @Test
  void a_log_over_many_segments_comes_back_whole() throws IOException {
    List<Entry> written = new ArrayList<>();
    try (WriteAheadLog log = open()) {
      for (int i = 1; i <= 500; i++) {
        Entry entry = new Entry(1, i, EntryKind.PROPOSAL, new byte[i * 7 % 900]);
        written.add(entry);
        log.write(LogWorld.ready(new HardState(1, null, i - 1), List.of(entry), List.of(), null));
        log.sync();
      }
    }
    try (WriteAheadLog log = open()) {
      assertEquals(500, log.lastIndex());
      assertEquals(new HardState(1, null, 499), log.hardState());
      assertEquals(written, log.entries(1, 500, Long.MAX_VALUE));
      assertTrue(segments() > 4);
    }
  }

  @Test
  void a_snapshot_is_kept_read_and_lets_segments_go() throws IOException {
    byte[] state = new byte[300_000];
    for (int i = 0; i < state.length; i++) {
      state[i] = (byte) (i * 31 / 8);
    }
    SnapshotMeta meta;
    try (WriteAheadLog log = open()) {
      for (int i = 1; i <= 400; i++) {
        Entry entry = new Entry(1, i, EntryKind.PROPOSAL, new byte[300]);
        log.write(LogWorld.ready(null, List.of(entry), List.of(), null));
      }
      log.sync();
      SnapshotFileWriter writer = log.snapshots().begin();
      writer.write(state, 0, 100);
      writer.write(state, 100, state.length - 100);
      meta = writer.finish(LogWorld.meta(390, 1));
      log.adopt(writer, meta);
      log.compactBefore(380);
      assertEquals(380, log.firstIndex());
    }
    assertTrue(segments() <= 2);
    try (WriteAheadLog log = open()) {
      assertEquals(meta, log.snapshot());
      assertArrayEquals(state, log.snapshots().stream(meta).readAllBytes());
      assertEquals(
          70_000, log.snapshots().read(meta, 230_000, 100_000).size(), "as far as it goes");
      assertEquals(400, log.lastIndex());
      assertTrue(log.firstIndex() <= 380);
    }
  }

  @Test
  void a_closed_log_cannot_be_used() {
    WriteAheadLog log = open();
    log.close();
    assertThrows(LogFailure.class, log::sync);
  }

  @Test
  void a_directory_prints_a_line_for_each_record() throws IOException {
    try (WriteAheadLog log = open()) {
      Entry first = new Entry(1, 1, EntryKind.PROPOSAL, new byte[] {'h', 'i'});
      log.write(LogWorld.ready(new HardState(1, null, 0), List.of(first), List.of(), null));
      Entry other = new Entry(2, 1, EntryKind.PROPOSAL, new byte[] {0, 1});
      log.write(LogWorld.ready(null, List.of(other), List.of(), null));
      log.sync();
    }
    StringBuilder out = new StringBuilder();
    new LogPrinter(out).print(new FileDisk(directory));
    assertEquals(
        """
        segment 0000000000000001.segment of member m7 group 0 cluster 0, 65536 bytes, from batch 1, after 0/0, term 0 commit 0
         batch 1 at 512, 2 records, 61 bytes, confirms 0
          hard state term 1 commit 0
          entry 1/1 PROPOSAL [2] hi
         batch 2 at 1024, 2 records, 53 bytes, confirms 0
          truncated from 1, after term 0
          entry 2/1 PROPOSAL [2] 0001
         end at 1536
        """,
        out.toString());
  }

  private long segments() throws IOException {
    return new FileDisk(directory).list().stream().filter(n -> n.endsWith(".segment")).count();
  }
}
