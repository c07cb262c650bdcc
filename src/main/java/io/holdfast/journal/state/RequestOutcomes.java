package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The outcomes of requests that one shard answered, kept for as long as promised. */
final class RequestOutcomes {

  /*
   * Four kinds of entries in one map:
   *
   *   S lease           the outcomes of a session's requests, its SessionOutcomes
   *   N request         the outcome of a named request
   *   O order           the named request that was answered at this place
   *   P client          the number of named requests of the client that are kept
   *
   * Named requests are removed in their order, so the places of those that are kept have no gap.
   */
  private static final byte SESSION = 'S';
  private static final byte NAMED = 'N';
  private static final byte ORDER = 'O';
  private static final byte CLIENT = 'P';

  /** The most outcomes that one append forgets: others must not wait long for it. */
  static final int FORGET_AT_ONCE = 256;

  private final Bounds bounds;
  private final AccountedMap kept;
  private long last;
  private int inWindow;

  /**
   * The outcomes that a shard has kept.
   *
   * @param last the place of the named request that was answered last
   */
  RequestOutcomes(Bounds bounds, SortedBytes kept, long last, SizeAccount account) {
    this.bounds = bounds;
    this.kept = new AccountedMap(kept, account);
    this.last = last;
    byte[] from = {ORDER};
    kept.scan(from, from, (key, value) -> ++inWindow > 0);
  }

  SortedBytes kept() {
    return kept.now();
  }

  long last() {
    return last;
  }

  /** The refusal if one of these requests cannot be answered now; else empty. */
  Optional<Verdict> objection(List<AnsweredRequest> answers, LeaseTable leases) {
    Map<String, Integer> more = new HashMap<>(0);
    int named = 0;
    for (int i = 0; i < answers.size(); i++) {
      RequestKey request = answers.get(i).request();
      Optional<Verdict> objection;
      if (request instanceof RequestKey.Numbered numbered) {
        objection = objection(i, numbered, leases);
      } else if (request instanceof RequestKey.Named name) {
        int ofClient = more.merge(name.client(), 1, Integer::sum) - 1;
        objection = objection(i, name, named++, ofClient);
      } else {
        throw new AssertionError(request);
      }
      if (objection.isPresent()) {
        return objection;
      }
    }
    return Optional.empty();
  }

  private Optional<Verdict> objection(int answer, RequestKey.Numbered request, LeaseTable leases) {
    // A session's outcomes end with its lease: then an old request looks like a new one.
    if (!leases.isAlive(request.lease())) {
      return Optional.of(new Verdict.LeaseDead(request.lease()));
    }
    SessionOutcomes standing = standing(kept.now(), sessionEntry(request.lease()));
    if (standing.isForgotten(request.number())) {
      return Optional.of(new Verdict.RequestForgotten(answer));
    }
    return standing
        .outcome(request.number())
        .map(outcome -> new Verdict.AlreadyAnswered(answer, outcome));
  }

  /* If the window is full, a new request is refused: no other is forgotten before its time. */
  private Optional<Verdict> objection(
      int answer, RequestKey.Named request, int more, int ofClient) {
    byte[] outcome = kept.get(entry(NAMED, request.key()));
    if (outcome != null) {
      return Optional.of(new Verdict.AlreadyAnswered(answer, Bytes.of(outcome)));
    }
    boolean isFull =
        inWindow + more >= bounds.window()
            || count(entry(CLIENT, request.clientKey())) + ofClient >= bounds.clientWindow();
    return isFull ? Optional.of(new Verdict.TooManyRequests(answer)) : Optional.empty();
  }

  /** The number of outcomes of named requests that are kept. */
  static int named(SortedBytes kept) {
    return kept.count(new byte[] {ORDER});
  }

  /** The number of these outcomes that belong to this client. */
  static int named(SortedBytes kept, RequestKey.Named client) {
    return count(kept, entry(CLIENT, client.clientKey()));
  }

  static boolean isForgotten(SortedBytes kept, RequestKey.Numbered request) {
    return standing(kept, sessionEntry(request.lease())).isForgotten(request.number());
  }

  static Optional<Bytes> outcome(SortedBytes kept, RequestKey request) {
    if (request instanceof RequestKey.Numbered numbered) {
      return standing(kept, sessionEntry(numbered.lease())).outcome(numbered.number());
    } else if (request instanceof RequestKey.Named named) {
      return Optional.ofNullable(kept.get(entry(NAMED, named.key()))).map(Bytes::of);
    }
    throw new AssertionError(request);
  }

  void answered(RequestKey request, Bytes outcome) {
    if (request instanceof RequestKey.Numbered numbered) {
      answered(numbered, outcome);
    } else if (request instanceof RequestKey.Named named) {
      byte[] key = named.key();
      kept.put(entry(NAMED, key), outcome.array());
      kept.put(entry(ORDER, number(++last)), key);
      inWindow++;
      count(entry(CLIENT, named.clientKey()), 1);
    } else {
      throw new AssertionError(request);
    }
  }

  private void answered(RequestKey.Numbered request, Bytes outcome) {
    byte[] entry = sessionEntry(request.lease());
    SessionOutcomes standing =
        standing(kept.now(), entry)
            .answered(request.number(), outcome, request.lowestOpen(), bounds.outcomes());
    kept.put(entry, standing.encode());
  }

  /** Forgets named requests before this place, up to {@link #FORGET_AT_ONCE}. */
  void forget(long before) {
    int most = FORGET_AT_ONCE;
    for (long order = last - inWindow + 1; order < before && inWindow > 0 && most-- > 0; order++) {
      byte[] place = entry(ORDER, number(order));
      byte[] key = kept.get(place);
      if (key == null) {
        throw new IllegalStateException("no request at place [" + order + "]");
      }
      int client = Short.BYTES + Short.toUnsignedInt(ByteBuffer.wrap(key).getShort());
      kept.remove(place);
      kept.remove(entry(NAMED, key));
      count(entry(CLIENT, Arrays.copyOf(key, client)), -1);
      inWindow--;
    }
  }

  /** Forgets a session whose lease has ended: none of its requests can be answered any more. */
  void ended(LeaseLife lease) {
    kept.remove(sessionEntry(lease));
  }

  private static SessionOutcomes standing(SortedBytes kept, byte[] sessionEntry) {
    byte[] value = kept.get(sessionEntry);
    return value == null ? SessionOutcomes.NEW : SessionOutcomes.decode(value);
  }

  private int count(byte[] entry) {
    return count(kept.now(), entry);
  }

  private static int count(SortedBytes kept, byte[] entry) {
    byte[] value = kept.get(entry);
    return value == null ? 0 : ByteBuffer.wrap(value).getInt();
  }

  private void count(byte[] entry, int more) {
    int count = count(entry) + more;
    if (count == 0) {
      kept.remove(entry);
    } else {
      kept.put(entry, ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
    }
  }

  private static byte[] sessionEntry(LeaseLife lease) {
    return entry(SESSION, RequestKey.Numbered.key(lease));
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] entry(byte kind, byte[] key) {
    return ByteBuffer.allocate(1 + key.length).put(kind).put(key).array();
  }
}
