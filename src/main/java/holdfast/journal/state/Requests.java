package holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The outcomes of requests that one shard answered, kept as long as they were promised. */
final class Requests {

  /*
   * Two kinds of entries in one map:
   *
   *   C client          what is kept of the client, its Standing
   *   O order           the client (as above) and the number that came at this place, for those
   *                     without a session: the oldest of them goes first
   */
  private static final byte CLIENT = 'C';
  private static final byte[] ORDER = {'O'};

  private final Bounds bounds;
  private SortedBytes kept;
  private long next = 1;
  private int inWindow;

  Requests(Bounds bounds, SortedBytes kept) {
    this.bounds = bounds;
    this.kept = kept;
    kept.scan(
        ORDER,
        ORDER,
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
    Standing standing = standing(kept, key(request.client()));
    if (request.number() < standing.floor()) {
      return Optional.of(new Verdict.RequestForgotten(answer));
    }
    return standing
        .outcome(request.number())
        .map(outcome -> new Verdict.AlreadyAnswered(answer, outcome));
  }

  static Optional<Bytes> outcome(SortedBytes kept, Client client, long number) {
    return standing(kept, key(client)).outcome(number);
  }

  void answered(Request request, Bytes outcome) {
    byte[] client = key(request.client());
    Standing standing = standing(kept, client);
    boolean session = request.client() instanceof Client.Session;
    List<Standing.Kept> outcomes =
        standing.with(new Standing.Kept(request.number(), session ? 0 : next, outcome));
    long floor = session ? Math.max(standing.floor(), request.lowestOpen()) : 0;
    while (outcomes.size() > bounds.outcomes() || outcomes.get(0).number() < floor) {
      Standing.Kept first = outcomes.remove(0);
      if (session) {
        floor = Math.max(floor, first.number() + 1);
      } else {
        kept = kept.remove(orderKey(first.order()));
        inWindow--;
      }
    }
    if (!session) {
      byte[] place =
          ByteBuffer.allocate(client.length + 8).put(client).putLong(request.number()).array();
      kept = kept.put(orderKey(next++), place);
      inWindow++;
    }
    kept = kept.put(client, new Standing(floor, outcomes).encode());
    while (inWindow > bounds.window()) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    kept.scan(
        ORDER,
        ORDER,
        (order, place) -> {
          int end = place.length - Long.BYTES;
          byte[] client = Arrays.copyOf(place, end);
          Standing rest = standing(kept, client).without(ByteBuffer.wrap(place).getLong(end));
          kept = rest.outcomes().isEmpty() ? kept.remove(client) : kept.put(client, rest.encode());
          kept = kept.remove(order);
          inWindow--;
          return false;
        });
  }

  /** Forgets a client whose lease has ended: none of its requests is answered again. */
  void ended(LeaseRef lease) {
    kept = kept.remove(key(new Client.Session(lease)));
  }

  private static Standing standing(SortedBytes kept, byte[] client) {
    byte[] value = kept.get(client);
    return value == null ? Standing.NEW : Standing.decode(value);
  }

  private static byte[] key(Client client) {
    byte[] key = client.key();
    return ByteBuffer.allocate(1 + key.length).put(CLIENT).put(key).array();
  }

  private static byte[] orderKey(long order) {
    return ByteBuffer.allocate(1 + Long.BYTES).put(ORDER).putLong(order).array();
  }
}
