package holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import holdfast.config.HoldfastSettings;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.Part;
import holdfast.journal.state.PublicRecord;
import holdfast.lock.ClientId;
import holdfast.lock.FencingToken;
import holdfast.lock.Holder;
import holdfast.lock.HolderId;
import holdfast.lock.LeaseLife;
import holdfast.lock.Life;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;
import holdfast.lock.Metadata;
import holdfast.lock.Patience;
import holdfast.lock.Request;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import holdfast.lock.Waiter;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LockRecordTest {

  private static final Life LIFE =
      new Life.Shared(new LeaseLife(Long.MAX_VALUE, Long.MAX_VALUE), new Ttl(Ttl.MAX_MILLIS));
  private static final String LONG = "x".repeat(HolderId.MAX_BYTES - 6);

  @Test
  void what_everyone_sees_can_be_read_again() {
    Holder holder = line(0).holders().get(0);
    Part part = Part.of(Bytes.of(ProtoValues.holder(holder).toByteArray()));
    assertEquals(List.of(holder, holder), LockRecord.holders(record(List.of(part, part))));
    PublicRecord nonsense = record(List.of(Part.of(Bytes.of("nonsense"))));
    assertThrows(IllegalArgumentException.class, () -> LockRecord.holders(nonsense));
  }

  @Test
  void the_longest_line_of_the_longest_names_fits_into_an_append() throws Exception {
    int longest = 1_500;
    HoldfastSettings.from(
        ConfigFactory.parseString("holdfast.locks.max-waiters = " + longest)
            .withFallback(ConfigFactory.load()));
    int size = new LockEventSerializer().toBinary(new LockRecord(line(longest))).length;
    int shown = Metadata.MAX_BYTES + LockMachine.MAX_METADATA_IN_LINE;
    assertTrue(size + shown < Append.MAX_BYTES * 9 / 10, () -> "bytes: " + size);
  }

  private static LockState line(int waiters) {
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
                        new Patience(Patience.MAX_MILLIS),
                        Metadata.NONE,
                        Long.MAX_VALUE))
            .toList());
  }

  private static PublicRecord record(List<Part> parts) {
    return new PublicRecord("key", parts, /* created= */ 1, /* revision= */ 2, /* version= */ 2);
  }

  private static HolderId holder(int number) {
    return HolderId.of(client(number), name(number));
  }

  private static Request request(int number) {
    return new Request(
        new RequestId.Named(client(number), name(number)), /* content= */ Long.MIN_VALUE);
  }

  private static ClientId client(int number) {
    return new ClientId(name(number));
  }

  private static String name(int number) {
    return "%s%6d".formatted(LONG, number);
  }
}
