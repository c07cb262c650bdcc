package io.holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.Seeds;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.EntryCodec.Entry;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.RequestKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EntryCodecTest {

  /** A line for each format of an entry in any release. No line ever changes. */
  private static final Path GOLDEN = Path.of("src/test/resources/golden/journal/log-1.txt");

  private static final byte CODE = JournalStateMachine.CODE;
  private static final LeaseLife LEASE =
      LeaseLife.of(new LeaseId(1L << 62), new Revision(1L << 60));

  private static final Append PLAIN =
      new Append(
          new AppendId(ShardId.of(47), new Epoch(3), 1),
          new PersistenceId("lock|é"),
          1,
          Bytes.of("event"),
          null,
          Draft.NONE);
  private static final Append FULL =
      new Append(
          new AppendId(ShardId.of(0), new Epoch(1L << 50), 1L << 40),
          new PersistenceId("lock|key"),
          1L << 33,
          Bytes.EMPTY,
          Bytes.of("state"),
          new Draft(
              List.of(
                  new PublicChange.Set(
                      List.of(new Part(Bytes.of("part"), LEASE), Part.of(Bytes.EMPTY)),
                      Bytes.of("note")),
                  new PublicChange.Absent(Bytes.of("gone"))),
              null,
              List.of(LEASE, LeaseLife.of(new LeaseId(2), new Revision(3))),
              List.of(LeaseLife.of(new LeaseId(4), new Revision(5))),
              List.of(
                  new AnsweredRequest(new RequestKey.Numbered(LEASE, 9, 7), Bytes.of("outcome")),
                  new AnsweredRequest(new RequestKey.Named("client", "request"), Bytes.EMPTY)),
              List.of(LEASE),
              false,
              1L << 35,
              Need.NOTHING,
              0));
  private static final Append BEGINS = lease(new LeaseChange.Begins(new LeaseId(-5)), false);
  private static final Append ENDS =
      lease(new LeaseChange.Ends(LeaseLife.of(new LeaseId(-5), new Revision(1L << 60))), true);

  private static Append lease(LeaseChange change, boolean isLast) {
    return new Append(
        new AppendId(ShardId.of(1), new Epoch(1), 2),
        new PersistenceId("lease|key"),
        2,
        Bytes.of("event"),
        null,
        new Draft(
            List.of(
                isLast
                    ? new PublicChange.Absent(Bytes.EMPTY)
                    : PublicChange.Set.of(Bytes.of("record"))),
            change,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            isLast,
            0,
            Need.NOTHING,
            0));
  }

  private static final Append NEEDS = needs(Need.ROOM, 3);
  private static final Append NEEDS_LITTLE = needs(Need.RESERVE, 0);

  private static Append needs(Need need, int waiters) {
    return new Append(
        new AppendId(ShardId.of(1), new Epoch(1), 3),
        new PersistenceId("lock|key"),
        2,
        Bytes.of("event"),
        null,
        new Draft(
            List.of(), null, List.of(), List.of(), List.of(), List.of(), false, 0, need, waiters));
  }

  private static final List<Entry> EXAMPLES =
      List.of(
          entry(PLAIN),
          entry(FULL),
          entry(BEGINS),
          entry(PLAIN, FULL, ENDS),
          entry(NEEDS, NEEDS_LITTLE));

  private static Entry entry(Append... appends) {
    return new Entry(0xfedcba9876543210L, 11, List.of(appends));
  }

  @Test
  void written_bytes_equal_the_golden_ones() throws IOException {
    List<String> lines =
        EXAMPLES.stream()
            .map(entry -> HexFormat.of().formatHex(EntryCodec.encode(CODE, entry)))
            .toList();
    if (Boolean.getBoolean("rewrite")) {
      Files.write(GOLDEN, lines);
    }
    assertEquals(Files.readAllLines(GOLDEN), lines);
  }

  @Test
  void golden_bytes_of_every_version_are_read() throws IOException {
    List<Entry> read = new ArrayList<>();
    for (String line : Files.readAllLines(GOLDEN)) {
      read.add(EntryCodec.decode(HexFormat.of().parseHex(line)));
    }
    assertEquals(EXAMPLES, read);
  }

  @Test
  void an_entry_begins_with_the_byte_that_names_the_journal() {
    EXAMPLES.forEach(entry -> assertEquals(CODE, EntryCodec.encode(CODE, entry)[0]));
  }

  @Test
  void an_unreadable_entry_is_refused() {
    byte[] nothing = {CODE};
    assertThrows(IllegalArgumentException.class, () -> EntryCodec.decode(nothing));
    Seeds.each(
        500,
        random -> {
          byte[] bytes = EntryCodec.encode(CODE, EXAMPLES.get(random.nextInt(EXAMPLES.size())));
          IntStream.range(0, 1 + random.nextInt(3))
              .forEach(i -> bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt());
          byte[] cut = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
          decodesOrRefuses(bytes);
          decodesOrRefuses(cut);
        });
  }

  private static void decodesOrRefuses(byte[] bytes) {
    try {
      EntryCodec.decode(bytes);
    } catch (IllegalArgumentException e) {
      // refused, as it must be
    }
  }
}
