package io.holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.holdfast.bytes.Bytes;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.fixtures.Seeds;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.ProtoValues;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LockRecordReaderTest {

  private static final Lifetime LIFE =
      new Lifetime.Shared(
          LeaseLife.of(new LeaseId(Long.MAX_VALUE), new Revision(Long.MAX_VALUE)),
          new Ttl(Ttl.MAX_MILLIS));
  private static final String LONG = "x".repeat(HolderId.MAX_BYTES - 6);

  @Test
  void a_public_record_can_be_read_back() {
    Holder holder = queue(0).holders().get(0);
    Part part = Part.of(Bytes.of(ProtoValues.holder(holder).toByteArray()));
    assertEquals(List.of(holder, holder), LockRecordReader.holders(record(List.of(part, part))));
    PublicRecord nonsense = record(List.of(Part.of(Bytes.of("nonsense"))));
    assertThrows(IllegalArgumentException.class, () -> LockRecordReader.holders(nonsense));
  }

  @Test
  void the_longest_queue_of_the_longest_names_fits_into_an_append() throws Exception {
    int longest = 3_600;
    HoldfastSettings.from(
        ConfigFactory.parseString("holdfast.locks.max-waiters = " + longest)
            .withFallback(ConfigFactory.load()));
    LockState queue = queue(longest);
    int size = new LockEventSerializer().toBinary(queue).length;
    int shown = Metadata.MAX_BYTES + LockMachine.MAX_QUEUE_METADATA;
    assertTrue(size + shown < Append.MAX_STATE_BYTES * 99 / 100, () -> "bytes: " + size);
    int needed = queue.waiters().bytes() + LockMachine.MAX_QUEUE_METADATA;
    assertTrue(needed <= LockMachine.MAX_QUEUE_BYTES, () -> "refused at bytes: " + needed);
  }

  @Test
  void a_queue_takes_at_most_the_bytes_it_declares() throws Exception {
    int alone = size(queue(0));
    for (int waiters : new int[] {1, 10, 1_000}) {
      LockState queue = queue(waiters);
      isNear(size(queue) - alone, queue.waiters().bytes(), waiters);
    }
  }

  @Test
  void each_kind_of_waiter_takes_at_most_the_bytes_it_declares() {
    Seeds.each(
        2_000,
        random -> {
          Waiter waiter = waiter(random);
          isNear(ProtoValues.waiter(waiter).getSerializedSize(), waiter.bytes(), 1);
        });
  }

  private static void isNear(int size, int said, int waiters) {
    assertTrue(size <= said, () -> size + " bytes of " + said);
    assertTrue(said - size <= 24 * waiters, () -> size + " bytes of " + said);
  }

  private static int size(LockState state) throws Exception {
    return new LockEventSerializer().toBinary(state).length;
  }

  private static Waiter waiter(SplittableRandom random) {
    ClientId client = random.nextBoolean() ? ClientId.NAMELESS : new ClientId(text(random, 128));
    LeaseLife lease = LeaseLife.of(new LeaseId(number(random)), new Revision(number(random)));
    RequestId request =
        switch (random.nextInt(3)) {
          case 0 -> new RequestId.Named(client, text(random, 128));
          case 1 -> new RequestId.Numbered(client, lease, number(random));
          default -> new RequestId.Once(client, random.nextLong());
        };
    Ttl ttl = new Ttl(100 + random.nextLong(Ttl.MAX_MILLIS - 99));
    return new Waiter(
        new HolderId(client, random.nextBoolean() ? null : lease.id(), text(random, 128)),
        new RequestHeader(request, random.nextLong()),
        random.nextBoolean() ? new Lifetime.Own(ttl) : new Lifetime.Shared(lease, ttl),
        new WaitTimeout(1 + random.nextLong(WaitTimeout.MAX_MILLIS)),
        Metadata.of(new byte[random.nextInt(3) * random.nextInt(4_097)]),
        number(random));
  }

  private static String text(SplittableRandom random, int maxBytes) {
    String one = random.nextBoolean() ? "x" : "\u00e4"; // one byte, or two
    return one.repeat(1 + random.nextInt(maxBytes / 2));
  }

  private static long number(SplittableRandom random) {
    return 1 + (random.nextLong() >>> (1 + random.nextInt(62)));
  }

  private static LockState queue(int waiters) {
    return new LockState(
        List.of(
            new Holder(
                holder(0),
                request(0),
                new FencingToken(Long.MAX_VALUE),
                LIFE,
                Holder.MAX_COUNT,
                Metadata.NONE)),
        IntStream.range(1, waiters + 1)
            .mapToObj(
                i ->
                    new Waiter(
                        holder(i),
                        request(i),
                        LIFE,
                        new WaitTimeout(WaitTimeout.MAX_MILLIS),
                        Metadata.NONE,
                        Long.MAX_VALUE))
            .toList());
  }

  private static PublicRecord record(List<Part> parts) {
    return new PublicRecord(
        new PersistenceId("key"),
        parts,
        /* created= */ new Revision(1),
        /* revision= */ new Revision(2),
        /* version= */ 2);
  }

  private static HolderId holder(int number) {
    return HolderId.of(client(number), name(number));
  }

  private static RequestHeader request(int number) {
    return new RequestHeader(
        new RequestId.Named(client(number), name(number)), /* content= */ Long.MIN_VALUE);
  }

  private static ClientId client(int number) {
    return new ClientId(name(number));
  }

  private static String name(int number) {
    return "%s%6d".formatted(LONG, number);
  }
}
