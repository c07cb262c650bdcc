package holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.fixtures.Seeds;
import holdfast.lock.ClientId;
import holdfast.lock.FencingToken;
import holdfast.lock.Holder;
import holdfast.lock.HolderId;
import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.LockEvent;
import holdfast.lock.LockEvent.EndCause;
import holdfast.lock.LockState;
import holdfast.lock.Patience;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import holdfast.lock.Waiter;
import java.io.IOException;
import java.io.NotSerializableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockEventSerializerTest {

  /** A line for each shape of an event in any release: manifest and bytes. None is ever changed. */
  private static final Path GOLDEN = Path.of("src/test/resources/golden/journal/lock-1.txt");

  private static final ClientId CLIENT = new ClientId("client-é");
  private static final Holder HOLDER =
      new Holder(
          new HolderId(CLIENT, "handle"),
          new RequestId(ClientId.NAMELESS, "request"),
          new FencingToken(1L << 40),
          new Ttl(30_000));
  private static final Waiter WAITER =
      new Waiter(
          new HolderId(ClientId.NAMELESS, "handle-2"),
          new RequestId(CLIENT, "request-2"),
          new Ttl(100),
          new Patience(3_600_000));

  private static final List<Object> EXAMPLES =
      List.of(
          new LockEvent.Granted(HOLDER),
          new LockEvent.Queued(WAITER),
          new LockEvent.Left(WAITER.request(), LeaveCause.TIMED_OUT),
          new LockEvent.Left(WAITER.request(), LeaveCause.CANCELLED),
          new LockEvent.Freed(HOLDER.token(), EndCause.RELEASED),
          new LockEvent.Freed(HOLDER.token(), EndCause.EXPIRED),
          new LockEvent.HandedOver(new FencingToken(7), EndCause.RELEASED, HOLDER),
          new LockEvent.HandedOver(new FencingToken(7), EndCause.EXPIRED, HOLDER),
          new LockRecord(LockState.FREE),
          new LockRecord(new LockState(List.of(HOLDER), List.of(WAITER))),
          new LockEvent.Forgotten());

  private final LockEventSerializer serializer = new LockEventSerializer();

  @Test
  void what_is_written_is_what_was_promised() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Object example : EXAMPLES) {
      lines.add(
          serializer.manifest(example)
              + " "
              + HexFormat.of().formatHex(serializer.toBinary(example)));
    }
    if (Boolean.getBoolean("rewrite")) {
      Files.write(GOLDEN, lines);
    }
    assertEquals(Files.readAllLines(GOLDEN), lines);
  }

  @Test
  void what_was_ever_written_is_read() throws IOException {
    List<String> lines = Files.readAllLines(GOLDEN);
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ", -1);
      assertEquals(
          EXAMPLES.get(i), serializer.fromBinary(HexFormat.of().parseHex(words[1]), words[0]));
    }
  }

  @Test
  void bytes_that_make_no_sense_are_refused_and_name_their_manifest() {
    Seeds.each(
        500,
        random -> {
          Object example = EXAMPLES.get(random.nextInt(EXAMPLES.size()));
          byte[] bytes = serializer.toBinary(example);
          if (bytes.length == 0) {
            return;
          }
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
          String manifest = serializer.manifest(example);
          try {
            Object read = serializer.fromBinary(bytes, manifest);
            assertEquals(manifest, serializer.manifest(read));
          } catch (NotSerializableException e) {
            assertTrue(e.toString().contains("[" + manifest + "]"), e::toString);
          }
        });
  }

  @Test
  void a_manifest_of_a_later_release_is_refused() {
    NotSerializableException e =
        assertThrows(
            NotSerializableException.class,
            () -> serializer.fromBinary(new byte[0], "lock.granted.2"));
    assertEquals("unknown manifest [lock.granted.2]", e.getMessage());
  }

  @Test
  void an_event_without_a_cause_that_is_known_is_refused() {
    byte[] noCause = {0x08, 0x01};
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(noCause, "lock.freed.1"));
    assertArrayEquals(
        new byte[] {0x08, 0x01, 0x10, 0x01},
        serializer.toBinary(new LockEvent.Freed(new FencingToken(1), EndCause.RELEASED)));
  }
}
