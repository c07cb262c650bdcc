package io.holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockState;
import java.io.IOException;
import java.io.NotSerializableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LockEventSerializerTest {

  /**
   * A line for each format of an event in any release: manifest and bytes. No line ever changes.
   */
  private static final Path GOLDEN = Path.of("src/test/resources/golden/journal/lock-1.txt");

  private static final ClientId CLIENT = new ClientId("client-é");
  private static final LeaseLife LEASE = LeaseLife.of(new LeaseId(1L << 62), new Revision(41));
  private static final Holder HOLDER =
      new Holder(
          HolderId.of(CLIENT, "handle"),
          new RequestHeader(new RequestId.Named(ClientId.NAMELESS, "request"), 1L << 63),
          new FencingToken(1L << 40),
          new Lifetime.Own(new Ttl(30_000)),
          /* count= */ 1,
          Metadata.NONE);
  private static final Holder AGED =
      new Holder(
          HOLDER.id(),
          HOLDER.request(),
          HOLDER.token(),
          HOLDER.life(),
          HOLDER.count(),
          HOLDER.metadata(),
          Duration.ofSeconds(15));
  private static final Holder ON_A_LEASE =
      new Holder(
          new HolderId(CLIENT, LEASE.id(), "handle"),
          new RequestHeader(new RequestId.Numbered(CLIENT, LEASE, 300), /* content= */ 5),
          new FencingToken(1L << 40),
          new Lifetime.Shared(LEASE, new Ttl(10_000)),
          Holder.MAX_COUNT,
          Metadata.of(new byte[] {0, (byte) 0xFF}));
  private static final Waiter WAITER =
      new Waiter(
          HolderId.of(ClientId.NAMELESS, "handle-2"),
          new RequestHeader(new RequestId.Named(CLIENT, "request-2"), /* content= */ 6),
          new Lifetime.Own(new Ttl(100)),
          new WaitTimeout(3_600_000),
          Metadata.NONE,
          /* since= */ 17);
  private static final Waiter ONCE =
      new Waiter(
          new HolderId(CLIENT, LEASE.id(), "handle-3"),
          new RequestHeader(new RequestId.Once(CLIENT, -1), /* content= */ 7),
          new Lifetime.Shared(LEASE, new Ttl(10_000)),
          new WaitTimeout(1),
          Metadata.of(new byte[] {1}),
          /* since= */ 0);
  private static final FencingToken TOKEN = new FencingToken(7);

  private static final List<LockEvent> EVENTS =
      List.of(
          new LockEvent.Granted(HOLDER),
          new LockEvent.Granted(ON_A_LEASE),
          new LockEvent.Reentered(TOKEN, 2),
          new LockEvent.SteppedOut(TOKEN, 1),
          new LockEvent.Aged(TOKEN, Duration.ofMinutes(15)),
          new LockEvent.Aged(TOKEN, Duration.ZERO),
          new LockEvent.Queued(WAITER),
          new LockEvent.Queued(ONCE),
          new LockEvent.Left(WAITER.request().id(), LeaveCause.TIMED_OUT),
          new LockEvent.Left(ONCE.request().id(), LeaveCause.CANCELLED),
          new LockEvent.Left(ON_A_LEASE.request().id(), LeaveCause.LEASE_ENDED),
          new LockEvent.Barred(WAITER.request().id()),
          new LockEvent.Barred(ON_A_LEASE.request().id()),
          new LockEvent.Freed(HOLDER.token(), GrantEnding.RELEASED),
          new LockEvent.Freed(HOLDER.token(), GrantEnding.EXPIRED),
          new LockEvent.Freed(HOLDER.token(), GrantEnding.LEASE_ENDED),
          new LockEvent.Freed(HOLDER.token(), new GrantEnding(GrantEnding.Cause.FORCED, "stück")),
          new LockEvent.HandedOver(TOKEN, GrantEnding.RELEASED, HOLDER),
          new LockEvent.HandedOver(TOKEN, GrantEnding.EXPIRED, ON_A_LEASE),
          new LockEvent.HandedOver(TOKEN, GrantEnding.LEASE_ENDED, HOLDER),
          new LockEvent.HandedOver(
              TOKEN, new GrantEnding(GrantEnding.Cause.FORCED, "stück"), HOLDER),
          new LockEvent.Forgotten());

  private static final List<LockState> STATES =
      List.of(
          LockState.FREE,
          new LockState(List.of(HOLDER), List.of(WAITER)),
          new LockState(List.of(AGED), List.of()),
          new LockState(List.of(ON_A_LEASE), List.of(WAITER, ONCE)));

  private static final List<LeaseEvent> OF_LEASES =
      List.of(
          new LeaseEvent.Granted(
              LeaseTerms.of(1_000, CLIENT, /* session= */ false), WAITER.request()),
          new LeaseEvent.Granted(
              LeaseTerms.of(600_000, ClientId.NAMELESS, /* session= */ true), ONCE.request()),
          new LeaseEvent.Ended(LeaseEvent.Cause.EXPIRED),
          new LeaseEvent.Ended(LeaseEvent.Cause.REVOKED));

  /** Each event alone, all together, each state, and each event of a lease. */
  private static final List<Object> EXAMPLES =
      Stream.of(
              EVENTS.stream().map(event -> new PersistedLockEvents(List.of(event))),
              Stream.of(new PersistedLockEvents(EVENTS)),
              STATES.stream(),
              OF_LEASES.stream().map(PersistedLeaseEvent::new))
          .<Object>flatMap(each -> each)
          .toList();

  private final LockEventSerializer serializer = new LockEventSerializer();

  @Test
  void written_bytes_equal_the_golden_ones() throws IOException {
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
  void golden_bytes_of_every_version_are_read() throws IOException {
    List<String> lines = Files.readAllLines(GOLDEN);
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ", -1);
      assertEquals(
          EXAMPLES.get(i), serializer.fromBinary(HexFormat.of().parseHex(words[1]), words[0]));
    }
  }

  @Test
  void unreadable_bytes_are_refused_with_their_manifest() {
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
            () -> serializer.fromBinary(new byte[0], "lock.events.2"));
    assertEquals("unknown manifest [lock.events.2]", e.getMessage());
  }

  @Test
  void an_event_with_an_unknown_cause_is_refused() {
    byte[] noCause = {0x0A, 0x04, 0x42, 0x02, 0x08, 0x01};
    byte[] released = {0x0A, 0x08, 0x42, 0x06, 0x08, 0x01, 0x12, 0x02, 0x08, 0x01};
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(noCause, "lock.events.1"));
    assertThrows(
        NotSerializableException.class,
        () -> serializer.fromBinary(new byte[] {0x0A, 0x00}, "lock.events.1"),
        "no event that is known");
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(new byte[0], "lease.event.1"));
    assertArrayEquals(
        released,
        serializer.toBinary(
            new PersistedLockEvents(
                List.of(new LockEvent.Freed(new FencingToken(1), GrantEnding.RELEASED)))));
  }

  @Test
  void every_shape_of_an_event_is_among_the_examples() {
    assertEquals(
        Set.of(LockEvent.class.getPermittedSubclasses()),
        EVENTS.stream().map(Object::getClass).collect(Collectors.toSet()));
    assertEquals(
        Set.of(LeaseEvent.class.getPermittedSubclasses()),
        OF_LEASES.stream().map(Object::getClass).collect(Collectors.toSet()));
  }
}
