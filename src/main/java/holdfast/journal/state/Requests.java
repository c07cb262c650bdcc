package holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The outcomes of requests that one shard answered, kept as long as they were promised. */
final class Requests {

  /*
   * Three kinds of entries in one map:
   *
   *   A client number   the outcome; before it, for a client without a session, its place in order
   *   C client          how many outcomes are kept; for a session also the lowest number that may
   *                     still be answered: what is below was answered, or is not waited for
   *   O order           the client and number that came at this place, without a session
   */
  private static final byte ANSWER = 'A';
  private static final byte CLIENT = 'C';
  private static final byte ORDER = 'O';

  private final Bounds bounds;
  private SortedBytes kept;
  private long next;
  private int inWindow;

  Requests(Bounds bounds, SortedBytes kept) {
    this.bounds = bounds;
    this.kept = kept;
    kept.scan(
        new byte[] {ORDER},
        new byte[0],
        (key, value) -> {
          next = ByteBuffer.wrap(key).getLong(1) + 1;
          inWindow++;
          return true;
        });
  }

  SortedBytes kept() {
    return kept;
  }

  /** Why the request cannot be answered now, if so. */
  Optional<Verdict> objection(int answer, Request request) {
    if (request.client() instanceof Client.Session
        && request.number() < standing(request.client()).floor()) {
      return Optional.of(new Verdict.RequestForgotten(answer));
    }
    return outcome(kept, request.client(), request.number())
        .map(outcome -> new Verdict.AlreadyAnswered(answer, outcome));
  }

  static Optional<Bytes> outcome(SortedBytes kept, Client client, long number) {
    byte[] value = kept.get(answerKey(client.key(), number));
    if (value == null) {
      return Optional.empty();
    }
    int from = client instanceof Client.Session ? 0 : Long.BYTES;
    return Optional.of(Bytes.of(Arrays.copyOfRange(value, from, value.length)));
  }

  void answered(Request request, Bytes outcome) {
    byte[] client = request.client().key();
    Standing before = standing(request.client());
    Standing now =
        request.client() instanceof Client.Session
            ? answeredSession(client, request, outcome, before)
            : answeredNamed(client, request, outcome, before);
    kept = kept.put(clientKey(client), now.encode());
    while (inWindow > bounds.window()) {
      forgetOldest();
    }
  }

  private Standing answeredSession(byte[] client, Request request, Bytes outcome, Standing before) {
    kept = kept.put(answerKey(client, request.number()), outcome.array());
    int count = before.count() + 1;
    long floor = Math.max(before.floor(), request.lowestOpen());
    for (long number : lowest(client, floor, count - bounds.outcomes())) {
      kept = kept.remove(answerKey(client, number));
      floor = Math.max(floor, number + 1);
      count--;
    }
    return new Standing(floor, count);
  }

  private Standing answeredNamed(byte[] client, Request request, Bytes outcome, Standing before) {
    byte[] answer = answerKey(client, request.number());
    byte[] value =
        ByteBuffer.allocate(Long.BYTES + outcome.size()).putLong(next).put(outcome.array()).array();
    kept = kept.put(answer, value).put(orderKey(next++), answer);
    inWindow++;
    int count = before.count() + 1;
    for (long number : lowest(client, 0, count - bounds.outcomes())) {
      forgetNamed(answerKey(client, number));
      count--;
    }
    return new Standing(0, count);
  }

  private void forgetOldest() {
    List<byte[]> oldest = new ArrayList<>();
    byte[] order = {ORDER};
    kept.scan(order, order, (key, answer) -> oldest.add(answer) && oldest.isEmpty());
    byte[] answer = oldest.get(0);
    byte[] client = clientKey(Arrays.copyOfRange(answer, 1, answer.length - Long.BYTES));
    byte[] value = kept.get(client);
    int count = value == null ? 0 : Standing.decode(value).count();
    forgetNamed(answer);
    kept = count > 1 ? kept.put(client, new Standing(0, count - 1).encode()) : kept.remove(client);
  }

  private void forgetNamed(byte[] answer) {
    byte[] value = kept.get(answer);
    if (value != null) {
      kept = kept.remove(orderKey(ByteBuffer.wrap(value).getLong())).remove(answer);
      inWindow--;
    }
  }

  /** Forgets a client whose lease has ended: none of its requests is answered again. */
  void ended(LeaseRef lease) {
    byte[] client = new Client.Session(lease).key();
    for (long number : lowest(client, Long.MAX_VALUE, 0)) {
      kept = kept.remove(answerKey(client, number));
    }
    kept = kept.remove(clientKey(client));
  }

  /** The client's numbers with an outcome that are below this, and at least so many. */
  private List<Long> lowest(byte[] client, long below, int atLeast) {
    List<Long> numbers = new ArrayList<>();
    byte[] prefix = ByteBuffer.allocate(1 + client.length).put(ANSWER).put(client).array();
    kept.scan(
        prefix,
        prefix,
        (key, value) -> {
          long number = ByteBuffer.wrap(key).getLong(prefix.length);
          return (number < below || numbers.size() < atLeast) && numbers.add(number);
        });
    return numbers;
  }

  private Standing standing(Client client) {
    byte[] value = kept.get(clientKey(client.key()));
    return value == null ? Standing.NEW : Standing.decode(value);
  }

  private static byte[] answerKey(byte[] client, long number) {
    return ByteBuffer.allocate(9 + client.length).put(ANSWER).put(client).putLong(number).array();
  }

  private static byte[] clientKey(byte[] client) {
    return ByteBuffer.allocate(1 + client.length).put(CLIENT).put(client).array();
  }

  private static byte[] orderKey(long order) {
    return ByteBuffer.allocate(9).put(ORDER).putLong(order).array();
  }

  /** How a client stands: its lowest number that may be answered, and its outcomes kept. */
  private record Standing(long floor, int count) {

    static final Standing NEW = new Standing(0, 0);

    static Standing decode(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      return new Standing(in.getLong(), in.getInt());
    }

    byte[] encode() {
      return ByteBuffer.allocate(12).putLong(floor).putInt(count).array();
    }
  }
}
