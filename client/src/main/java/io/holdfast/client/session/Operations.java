package io.holdfast.client.session;

import io.holdfast.v1.Answer;
import io.holdfast.v1.Effect;
import io.holdfast.v1.Operation;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The operations without a final answer. They are sent in order, and resent under their numbers.
 */
final class Operations {

  /*
   * The order of a key.
   *
   * A stream executes the operations of one key in the order they were sent. So an operation goes to
   * the stream with undecided operations of its key, even if another node owns the key by now, and it
   * is not sent before earlier operations of its key. When a stream ends, its operations are resent on
   * another one in the order of their numbers. An earlier copy that still arrives has the same number
   * and is deduplicated, and all operations before it have arrived before it.
   */

  static final int MAX_OPEN = 65_536;

  private static final long OWED_AGAIN_MILLIS = 10_000;
  private static final int ROOM_KEPT_PART = 8;

  private record Place(int node, int count) {}

  private final OpenNumbers numbers;
  private final Streams streams;
  private final Routing routing;
  private final Backoff backoff;
  private final TreeMap<Long, Pending> all = new TreeMap<>();
  private final TreeMap<Long, Pending> unsent = new TreeMap<>();
  private final Map<String, Place> undecided = new HashMap<>();
  private int waiting;
  private int owed;
  private int endingWithSession;
  private boolean isSessionGone;
  private String lastTrouble = "no node was reached";

  Operations(OpenNumbers numbers, Streams streams, Routing routing, Backoff backoff) {
    this.numbers = numbers;
    this.streams = streams;
    this.routing = routing;
    this.backoff = backoff;
  }

  int size() {
    return all.size();
  }

  boolean isAnyWaiting() {
    return waiting > 0;
  }

  /**
   * True if an operation is neither answered nor known to wait in a queue, and the end of the
   * session would not complete it.
   */
  boolean isAnyUndecided() {
    return all.size() > waiting + endingWithSession;
  }

  /** True if no more lock requests are accepted. Releases and cancels are always accepted. */
  boolean isFull() {
    return all.size() >= MAX_OPEN;
  }

  Failure full() {
    return new Failure.Unavailable(
        "open operations [%d] exceed the maximum [%d]; [%d] of them give something back"
            .formatted(all.size() + 1, MAX_OPEN, owed));
  }

  /** Sets the reason why no node can be reached. */
  void trouble(String what) {
    lastTrouble = what;
  }

  /**
   * Sends an operation; exactly one final method of the reply is called in the end.
   *
   * @return the number
   */
  long ask(String key, Operation.Builder operation, Reply reply, long giveUpAt) {
    long number = numbers.take();
    return begin(Pending.asked(operation.setNumber(number).build(), key, reply, giveUpAt));
  }

  /**
   * Sends a release or a cancel: as {@link #ask}, but without a timeout.
   *
   * @param refersTo a number that must stay open until then; 0 for none
   * @param endsWithSession true if the end of the session has the same effect
   */
  long owe(
      String key,
      Operation.Builder operation,
      Reply reply,
      long refersTo,
      boolean endsWithSession,
      long now) {
    long number = numbers.take();
    if (refersTo != 0) {
      numbers.keep(refersTo);
    }
    owed++;
    endingWithSession += endsWithSession ? 1 : 0;
    return begin(
        Pending.owed(
            operation.setNumber(number).build(),
            key,
            reply,
            refersTo,
            endsWithSession,
            now + DeadlineRules.nanos(OWED_AGAIN_MILLIS)));
  }

  private long begin(Pending asked) {
    all.put(asked.number, asked);
    unsent.put(asked.number, asked);
    return asked.number;
  }

  /**
   * Drops an operation that is on no stream.
   *
   * @return true if no attempt of it has had or will have an effect
   */
  boolean drop(long number) {
    Pending asked = all.get(number);
    if (asked == null || asked.node != Pending.NOWHERE) {
      return false;
    }
    remove(asked);
    return !asked.inTheDark;
  }

  /** True if an attempt of it may still be executed, even if another one was answered. */
  boolean mayBeDecidedAgain(long number) {
    Pending asked = all.get(number);
    return asked != null && asked.inTheDark;
  }

  /** Sends all operations that can be sent. */
  void sendAll(long now) {
    if (unsent.isEmpty() || !streams.isAnyOpen()) {
      return;
    }
    Set<String> blocked = new HashSet<>();
    Set<String> refused = new HashSet<>(); // renewals go on: they are of their tokens only
    for (Pending asked : List.copyOf(unsent.values())) {
      boolean waits = refused.contains(asked.key) && !asked.operation.hasRenew();
      if (waits || blocked.contains(asked.key)) {
        continue;
      }
      Node node = asked.isBackingOff(now) ? null : node(asked.key, now);
      if (node == null || node.load >= room(asked, node)) {
        (asked.isBackingOff(now) ? refused : blocked).add(asked.key);
      } else {
        send(asked, node, now);
      }
    }
  }

  /**
   * Returns the limit of operations at a node for this kind of operation. Lock requests have a
   * lower limit: waiting requests must not block the release that they wait for.
   */
  private static int room(Pending asked, Node node) {
    return node.maxLoad - (asked.operation.hasLock() ? node.maxLoad / ROOM_KEPT_PART : 0);
  }

  private @Nullable Node node(String key, long now) {
    Place place = undecided.get(key);
    return place == null
        ? streams.route(routing.owner(key), now)
        : streams.nodes().get(place.node());
  }

  private void send(Pending asked, Node node, long now) {
    unsent.remove(asked.number);
    if (!asked.wasSent) {
      asked.wasSent = true;
      asked.firstSentAt = now;
    }
    asked.node = node.id;
    if (node.out == 0) {
      node.heardAt = DeadlineRules.later(node.heardAt, now); // the node's silence counts from here
    }
    node.out++;
    node.load++;
    undecided.merge(
        asked.key, new Place(node.id, 1), (before, one) -> new Place(node.id, before.count() + 1));
    streams.send(node, asked.operation);
  }

  void onAnswer(Node node, Answer answer, long now) {
    hint(answer);
    Pending asked = all.get(answer.getNumber());
    if (asked == null || asked.node != node.id) {
      return; // a second answer to a copy
    }
    if (answer.hasLock() && answer.getLock().getQueued()) {
      if (!asked.waits) {
        decided(asked, node);
        asked.waits = true;
        waiting++;
        asked.reply.onQueued();
      }
    } else if (answer.hasRefused() || answer.getAnswerCase() == Answer.AnswerCase.ANSWER_NOT_SET) {
      onRefused(asked, node, answer.getRefused(), now);
    } else {
      settle(asked, node);
      asked.reply.onAnswer(answer, asked.firstSentAt, now);
      remove(asked);
    }
  }

  private void hint(Answer answer) {
    OwnerHint hint =
        switch (answer.getAnswerCase()) {
          case LOCK -> answer.getLock().getOwner();
          case UNLOCK -> answer.getUnlock().getOwner();
          case RENEW -> answer.getRenew().getOwner();
          case CANCEL -> answer.getCancel().getOwner();
          case GET_LOCK -> answer.getGetLock().getOwner();
          case REFUSED -> answer.getRefused().getOwner();
          default -> OwnerHint.getDefaultInstance();
        };
    if (hint.getMemberId() != 0) {
      routing.hinted(hint);
    }
  }

  private void onRefused(Pending asked, Node node, Refusal refusal, long now) {
    boolean certain = refusal.getEffect() == Effect.EFFECT_NONE;
    settle(asked, node);
    asked.node = Pending.NOWHERE;
    asked.inTheDark |= !certain;
    if (RefusalRules.isOfTheSession(refusal)) {
      isSessionGone = true; // the reply is notified with all others
      return;
    }
    // A limit does not tell that a release or a cancel has nothing to end.
    if (RefusalRules.isFinal(refusal) && !(asked.isOwed && RefusalRules.isPassing(refusal))) {
      asked.reply.onFailure(new Failure.Refused(refusal), now);
      remove(asked);
      return;
    }
    if (RefusalRules.isOfTheNode(refusal)) {
      streams.shun(node, now);
    }
    trouble(refusal.getMessage());
    again(asked, DeadlineRules.nanos(refusal.getRetryAfterMs()), now);
  }

  private void again(Pending asked, long atLeastNanos, long now) {
    asked.notBefore = now + Math.max(atLeastNanos, backoff.nanos(asked.failures));
    asked.failures++;
    unsent.put(asked.number, asked);
  }

  /** True if a refusal has said that the session has ended. */
  boolean isSessionGone() {
    return isSessionGone;
  }

  /** Removes the operation from this stream. */
  private void settle(Pending asked, Node node) {
    if (asked.waits) {
      asked.waits = false;
      waiting--;
    } else {
      decided(asked, node);
    }
    node.load--;
  }

  private void decided(Pending asked, Node node) {
    node.out--;
    undecided.computeIfPresent(
        asked.key,
        (key, place) -> place.count() == 1 ? null : new Place(place.node(), place.count() - 1));
  }

  private void remove(Pending asked) {
    all.remove(asked.number);
    unsent.remove(asked.number);
    numbers.finish(asked.number);
    if (asked.refersTo != 0) {
      numbers.finish(asked.refersTo);
    }
    owed -= asked.isOwed ? 1 : 0;
    endingWithSession -= asked.endsWithSession ? 1 : 0;
  }

  /** Handles the end of a stream: its operations are resent on other streams. */
  void onStreamEnded(Node node) {
    for (Pending asked : all.values()) {
      if (asked.node == node.id) {
        takeBack(asked, node);
      }
    }
  }

  private void takeBack(Pending asked, Node node) {
    settle(asked, node);
    asked.node = Pending.NOWHERE;
    asked.inTheDark = true;
    unsent.put(asked.number, asked);
  }

  /**
   * Handles the end of the session: operations that were sent, releases and cancels have ended with
   * it. Lock requests that were not sent belong to the next session.
   */
  void onSessionEnded(long now) {
    isSessionGone = false;
    for (Pending asked : List.copyOf(all.values())) {
      if (asked.wasSent || asked.isOwed) {
        if (asked.node != Pending.NOWHERE) {
          settle(asked, streams.nodes().get(asked.node));
        }
        remove(asked);
        asked.reply.onSessionEnded(now);
      }
    }
  }

  /** Fails all operations for this reason. */
  void failAll(Failure failure, long now) {
    for (Pending asked : List.copyOf(all.values())) {
      fail(asked, failure, now);
    }
  }

  private void fail(Pending asked, Failure failure, long now) {
    if (asked.node != Pending.NOWHERE) {
      settle(asked, streams.nodes().get(asked.node));
    }
    asked.reply.onFailure(failure, now);
    remove(asked); // after the reply, which may refer to its number
  }

  /** Fails operations whose timeout has passed, and resends releases and cancels. */
  void giveUp(long now) {
    List<Pending> late = new ArrayList<>();
    for (Pending asked : all.values()) {
      if (asked.giveUpAt - now <= 0) {
        late.add(asked);
      }
    }
    for (Pending asked : late) {
      if (!asked.isOwed) {
        fail(asked, late(asked), now);
        continue;
      }
      asked.giveUpAt = now + DeadlineRules.nanos(OWED_AGAIN_MILLIS);
      if (asked.node != Pending.NOWHERE) {
        takeBack(asked, streams.nodes().get(asked.node));
      }
    }
  }

  /** Returns the failure of an operation without an answer in time. */
  Failure late(long number) {
    return late(Objects.requireNonNull(all.get(number)));
  }

  private Failure late(Pending asked) {
    String message = "no answer in time about [" + asked.key + "]: " + lastTrouble;
    return asked.mayHaveEffect()
        ? new Failure.Indeterminate(message)
        : new Failure.Unavailable(message);
  }

  /** Returns the time when a refused operation may be resent, at most {@code latest}. */
  long nextDue(long latest, long now) {
    long next = latest;
    for (Pending asked : unsent.values()) {
      if (asked.isBackingOff(now) && asked.notBefore - next < 0) {
        next = asked.notBefore;
      }
    }
    return next;
  }
}
