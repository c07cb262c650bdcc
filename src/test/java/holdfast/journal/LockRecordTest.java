package holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import holdfast.config.HoldfastSettings;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bytes;
import holdfast.lock.ClientId;
import holdfast.lock.FencingToken;
import holdfast.lock.Holder;
import holdfast.lock.HolderId;
import holdfast.lock.LockState;
import holdfast.lock.Patience;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import holdfast.lock.Waiter;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LockRecordTest {

  private static final String LONG = "x".repeat(HolderId.MAX_BYTES - 6);

  @Test
  void what_everyone_sees_can_be_read_again() {
    LockRecord record = new LockRecord(line(3));
    assertEquals(record, LockRecord.of(record.toBytes()));
    assertThrows(IllegalArgumentException.class, () -> LockRecord.of(Bytes.of("nonsense")));
  }

  @Test
  void the_longest_line_of_the_longest_names_fits_into_an_append() throws Exception {
    int longest = 1_500;
    HoldfastSettings.from(
        ConfigFactory.parseString("holdfast.locks.max-waiters = " + longest)
            .withFallback(ConfigFactory.load()));
    int size = new LockRecord(line(longest)).toBytes().size();
    assertTrue(size < Append.MAX_BYTES * 9 / 10, () -> "bytes: " + size);
  }

  private static LockState line(int waiters) {
    return new LockState(
        List.of(
            new Holder(
                holder(0), request(0), new FencingToken(Long.MAX_VALUE), new Ttl(Ttl.MAX_MILLIS))),
        IntStream.range(1, waiters + 1)
            .mapToObj(
                i ->
                    new Waiter(
                        holder(i), request(i), new Ttl(Ttl.MAX_MILLIS), new Patience(3_600_000)))
            .toList());
  }

  private static HolderId holder(int number) {
    return new HolderId(client(number), name(number));
  }

  private static RequestId request(int number) {
    return new RequestId(client(number), name(number));
  }

  private static ClientId client(int number) {
    return new ClientId(name(number));
  }

  private static String name(int number) {
    return "%s%6d".formatted(LONG, number);
  }
}
