package io.holdfast.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.fixtures.Seeds;
import io.holdfast.raft.ConsensusLog.SnapshotSource;
import io.holdfast.raft.ConsensusLog.StateMachine;
import io.holdfast.raft.SharedLog.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedLogTest {

  private static final byte FIRST = 1;
  private static final byte SECOND = (byte) 0xfe;

  /** Keeps all that it was given, and restores only as much as it is told to read. */
  private static final class Keeper implements StateMachine {
    final List<Long> indexes = new ArrayList<>();
    byte[] state = {};
    int reads = Integer.MAX_VALUE;

    @Override
    public void apply(long index, long term, byte[] payload) {
      indexes.add(index);
    }

    @Override
    public SnapshotSource snapshot() {
      byte[] held = state;
      return new SnapshotSource() {
        @Override
        public void writeTo(OutputStream out) throws IOException {
          out.write(held);
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void restore(long index, InputStream bytes) throws IOException {
      state = bytes.readNBytes(reads);
    }
  }

  private final Keeper first = new Keeper();
  private final Keeper second = new Keeper();
  private final SharedLog shared =
      new SharedLog(List.of(new Part(FIRST, first), new Part(SECOND, second)));

  @Test
  void an_entry_goes_to_the_machine_that_its_first_byte_names() {
    shared.apply(1, 1, new byte[] {FIRST});
    shared.apply(2, 1, new byte[] {SECOND, 7});
    shared.apply(3, 1, new byte[] {FIRST, 7});
    assertEquals(List.of(1L, 3L), first.indexes);
    assertEquals(List.of(2L), second.indexes);
  }

  @Test
  void an_entry_for_nobody_stops_the_log() {
    assertThrows(IllegalStateException.class, () -> shared.apply(1, 1, new byte[] {5}));
    assertThrows(IllegalStateException.class, () -> shared.apply(1, 1, new byte[0]));
  }

  @Test
  void two_machines_cannot_have_one_code() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new SharedLog(List.of(new Part(FIRST, first), new Part(FIRST, second))));
  }

  @Test
  void each_machine_gets_its_own_part_of_a_snapshot() {
    Seeds.each(
        200,
        random -> {
          first.state = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(200_000)];
          second.state = new byte[random.nextInt(100)];
          random.nextBytes(first.state);
          random.nextBytes(second.state);
          byte[] expectedFirst = first.state;
          byte[] expectedSecond = second.state;
          byte[] snapshot = bytes(shared.snapshot());
          first.reads = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(100_000);
          restore(snapshot);
          int read = Math.min(first.reads, expectedFirst.length);
          assertEquals(0, Arrays.compare(Arrays.copyOf(expectedFirst, read), first.state));
          assertEquals(0, Arrays.compare(expectedSecond, second.state));
        });
  }

  @Test
  void a_snapshot_that_ends_early_is_refused() {
    first.state = new byte[1000];
    byte[] snapshot = bytes(shared.snapshot());
    for (int length = 0; length < snapshot.length; length += 13) {
      byte[] cut = Arrays.copyOf(snapshot, length);
      assertThrows(UncheckedIOException.class, () -> restore(cut));
    }
  }

  @Test
  void a_snapshot_of_other_machines_is_refused() {
    byte[] snapshot = bytes(new SharedLog(List.of(new Part(FIRST, first))).snapshot());
    assertThrows(UncheckedIOException.class, () -> restore(snapshot));
  }

  private void restore(byte[] snapshot) {
    try {
      shared.restore(1, new ByteArrayInputStream(snapshot));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(SnapshotSource source) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (source) {
      source.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
