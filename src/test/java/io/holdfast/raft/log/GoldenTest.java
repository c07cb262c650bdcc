package io.holdfast.raft.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * One example of everything that stands on a disk. What any release has written is read by all
 * later ones: a line is added for a new format, and none is ever changed.
 */
class GoldenTest {

  private static final Path GOLDEN = Path.of("src/test/resources/golden/raft/log-1.txt");

  private static final SegmentHeader HEADER =
      new SegmentHeader(
          new LogIdentity(77, 1, new MemberId(42)),
          3,
          1 << 20,
          0x0123456789abcdefL,
          1001,
          500,
          6,
          new HardState(7, new MemberId(43), 490));

  private static final SnapshotMeta SNAPSHOT =
      new SnapshotMeta(
          500,
          6,
          LogWorld.FORMATION,
          Configuration.of(Member.voter(LogWorld.SELF, "here:1")),
          1,
          12,
          34);

  @Test
  void a_record_is_written_as_was_promised() throws IOException {
    Map<String, byte[]> encoded = encoded();
    if (Boolean.getBoolean("rewrite")) {
      List<String> lines = new ArrayList<>();
      encoded.forEach((name, bytes) -> lines.add(name + " = " + HexFormat.of().formatHex(bytes)));
      Files.createDirectories(GOLDEN.getParent());
      Files.write(GOLDEN, lines);
    }
    Map<String, byte[]> golden = golden();
    assertEquals(encoded.keySet(), golden.keySet());
    encoded.forEach(
        (name, bytes) ->
            assertEquals(
                HexFormat.of().formatHex(golden.getOrDefault(name, new byte[0])),
                HexFormat.of().formatHex(bytes),
                name));
  }

  @Test
  void a_record_of_any_release_is_read() throws IOException {
    Map<String, byte[]> golden = golden();
    assertFalse(golden.isEmpty());
    assertEquals("  entry 7/501 PROPOSAL [5] hello\n", record(golden, "entry"));
    assertEquals("  hard state term 7 voted m17 commit 490\n", record(golden, "hard state"));
    assertEquals("  truncated from 499, after term 5\n", record(golden, "truncated"));
    assertEquals("  reset to 6/500\n", record(golden, "reset"));
    assertEquals("  continued in 0000000000000004.segment\n", record(golden, "continued"));
    assertEquals(HEADER, SegmentHeader.decode("golden", bytes(golden, "segment header")));
    BatchHeader batch = BatchHeader.decode(bytes(golden, "batch"), 0, HEADER, 4096);
    assertNotNull(batch);
    assertEquals(new BatchHeader(1001, 1000, batch.bodyBytes(), 2), batch);
    StringBuilder records = new StringBuilder();
    BatchDecoder decoder = new BatchDecoder();
    assertNull(decoder.load(batch, bytes(golden, "batch"), 0));
    decoder.replay(batch, new LogPrinter(records));
    assertEquals(
        "  hard state term 7 voted m17 commit 490\n  entry 7/501 PROPOSAL [5] hello\n",
        records.toString());
    assertEquals(
        HEADER.identity(), SnapshotFileFormat.identity("golden", bytes(golden, "snapshot header")));
    ByteBuffer footer = bytes(golden, "snapshot footer");
    footer.limit(footer.limit() - SnapshotFileFormat.TRAILER_BYTES);
    assertEquals(SNAPSHOT, SnapshotFileFormat.meta("golden", 0, footer));
  }

  private static String record(Map<String, byte[]> golden, String name) {
    RecordCodec codec = new RecordCodec();
    ByteBuffer in = bytes(golden, name);
    assertNull(codec.skip(in), name);
    StringBuilder out = new StringBuilder();
    codec.read(in.rewind(), new LogPrinter(out));
    return out.toString();
  }

  private static Map<String, byte[]> encoded() {
    RecordCodec codec = new RecordCodec();
    Entry entry =
        new Entry(7, 501, EntryKind.PROPOSAL, "hello".getBytes(StandardCharsets.US_ASCII));
    Map<String, byte[]> all = new LinkedHashMap<>();
    ByteBuffer out = ByteBuffer.allocate(1000);
    codec.entry(out, entry);
    all.put("entry", taken(out));
    codec.hardState(out, HEADER.hardState());
    all.put("hard state", taken(out));
    codec.truncated(out, 499, 5);
    all.put("truncated", taken(out));
    codec.reset(out, 500, 6);
    all.put("reset", taken(out));
    codec.continued(out, 4);
    all.put("continued", taken(out));
    all.put("segment header", rest(HEADER.encode()));
    BatchEncoder batch = new BatchEncoder(8);
    batch.hardState(HEADER.hardState());
    batch.entry(entry);
    all.put("batch", rest(batch.finish(1001, 1000, HEADER, 4096)));
    all.put("snapshot header", rest(SnapshotFileFormat.header(HEADER.identity())));
    all.put("snapshot footer", rest(SnapshotFileFormat.footer(SNAPSHOT)));
    return all;
  }

  private static byte[] taken(ByteBuffer out) {
    byte[] bytes = rest(out.flip());
    out.clear();
    return bytes;
  }

  private static byte[] rest(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static ByteBuffer bytes(Map<String, byte[]> golden, String name) {
    return ByteBuffer.wrap(golden.getOrDefault(name, new byte[0]));
  }

  private static Map<String, byte[]> golden() throws IOException {
    Map<String, byte[]> golden = new LinkedHashMap<>();
    for (String line : Files.readAllLines(GOLDEN)) {
      int equals = line.indexOf(" = ");
      golden.put(line.substring(0, equals), HexFormat.of().parseHex(line.substring(equals + 3)));
    }
    return golden;
  }
}
