package io.holdfast.client.session;

import io.holdfast.v1.Answer;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionResponse;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a client's session over streams to all nodes, without clock, thread or connection.
 * Not safe for several threads. Methods take the time as an argument; the actions to execute come
 * from {@link #effects}.
 */
public final class SessionCore {

  private static final long IDLE_MILLIS = 1_000;
  private static final long BUSY_MILLIS = 100;
  private static final long KEEP_ALIVE_AGAIN_MILLIS = 400;
  static final String CLOSED = "the client is closed";

  private final SessionTerms terms;
  private final Routing routing = new Routing();
  private final OpenNumbers numbers = new OpenNumbers();
  private final Streams streams;
  private final Operations operations;
  private final GivingBack givingBack;
  private final Grants grants;
  private @Nullable Lease lease;

  /** The cluster that answered first; 0 for none yet. Tokens are valid only in it. */
  private long clusterId;

  private boolean isClosing;
  private boolean isCloseSent;

  /** The node that was asked to close the session. */
  private int closeSentTo;

  private boolean isClosed;

  /**
   * Creates a session, which opens at one of the endpoints.
   *
   * @param random randomizes pauses, so that clients do not retry in step
   */
  public SessionCore(SessionTerms terms, List<String> endpoints, RandomGenerator random, long now) {
    this.terms = terms;
    Backoff backoff = new Backoff(random);
    streams = new Streams(terms, backoff, numbers, now);
    endpoints.forEach(endpoint -> streams.add(endpoint, now));
    operations = new Operations(numbers, streams, routing, backoff);
    givingBack = new GivingBack(operations, terms);
    grants = new Grants(operations, givingBack);
  }

  // ---------------------------------------------------------------- requests

  /** Requests a lock. */
  public LockAttempt acquire(LockAttempt.Terms wanted, LockAttempt.Listener listener, long now) {
    LockAttempt attempt = new LockAttempt(wanted, listener, this, now);
    if (isClosing) {
      listener.failed(new Failure.Unavailable(CLOSED));
    } else {
      attempt.ask(now);
    }
    return attempt;
  }

  /** Cancels an attempt; its listener is not called any more. */
  public void cancel(LockAttempt attempt, long now) {
    attempt.cancel(now);
  }

  /** Receives the result of a release. */
  public interface Release {

    /** The grant has ended by this release, or had ended before. */
    void released(boolean wasHeld);

    void failed(Failure failure);
  }

  /** Releases a grant. After a timeout it is retried, and a second call gets the result. */
  public void release(HeldGrant grant, Release told, long now) {
    if (isCloseSent || isClosed) {
      told.failed(new Failure.Unavailable(CLOSED));
      return;
    }
    grants.release(grant, told, now);
  }

  /** Reports that a caller has found the grant's deadline passed. */
  public void lose(HeldGrant grant, LossCause reason, long now) {
    grants.lose(grant, reason, now);
  }

  /** Adds the address of a possible node. */
  public void learn(String endpoint, long now) {
    streams.add(endpoint, now);
  }

  /** Ends the session, with all its grants. */
  public void close(long now) {
    if (!isClosing) {
      isClosing = true;
      grants.loseAll(LossCause.CLIENT_CLOSED, now);
    }
  }

  boolean isClosing() {
    return isClosing;
  }

  /** True if nothing is left to do. */
  public boolean isClosed() {
    return isClosed;
  }

  /** Ends everything locally, without an answer of the server. */
  public void closeNow(long now) {
    isClosing = true;
    isClosed = true;
    endLease(LossCause.CLIENT_CLOSED);
    grants.loseAll(LossCause.CLIENT_CLOSED, now);
    operations.failAll(new Failure.Unavailable(CLOSED), now);
    streams.nodes().stream()
        .filter(node -> node.phase != Node.Phase.AWAY)
        .forEach(node -> streams.end(node, /* broken= */ true, now));
  }

  // ---------------------------------------------------------------- events

  /** Handles a frame of a stream. */
  public void onFrame(int id, long stream, SessionResponse frame, long now) {
    Node node = streams.of(id, stream);
    if (node == null) {
      return;
    }
    grants.expire(now);
    if (!streams.heard(node, frame, lease == null ? 0 : lease.id, now)) {
      return;
    }
    if (frame.hasOpened()) {
      onOpened(node, frame, now);
    }
    if (frame.getKeepAliveNumber() > 0 && lease != null) {
      lease.acknowledged(frame.getKeepAliveNumber(), frame.getGrantedTtlMs());
    }
    for (OwnerHint hint : frame.getOwnersList()) {
      routing.hinted(hint);
    }
    for (Answer answer : frame.getAnswersList()) {
      if (!streams.isProbe(node, answer.getNumber())) {
        operations.onAnswer(node, answer, now);
      }
    }
    if (operations.isSessionGone()) {
      onSessionEnded(now);
    } else if (frame.getClosed() && isClosing) {
      closeNow(now);
    } else if (frame.getClosed()) {
      onSessionEnded(now);
    } else if (frame.getLeaving()) {
      onLeaving(node, now);
    }
  }

  private void onOpened(Node node, SessionResponse frame, long now) {
    streams.opened(node, frame.getHeader().getMemberId(), frame.getOpened(), now);
    routing.opened(frame.getOpened());
    clusterId = frame.getHeader().getClusterId();
    Lease current = lease;
    if (current == null) {
      lease = new Lease(frame.getOpened(), node.openedAt);
    } else {
      current.renewed(node.openedAt, frame.getOpened().getGrantedTtlMs());
    }
  }

  private void learnAddresses(long now) {
    routing
        .takeAddresses()
        .forEach(
            (member, endpoint) -> {
              if (streams.nodes().stream().noneMatch(node -> node.member == member)) {
                streams.add(endpoint, now);
              }
            });
  }

  /** The node is shutting down: move to another node, if there is one. */
  private void onLeaving(Node node, long now) {
    node.isLeaving = true;
    boolean isOther =
        streams.nodes().stream().anyMatch(other -> other != node && other.isGood(now));
    if (isOther) {
      operations.onStreamEnded(node);
      streams.end(node, /* broken= */ false, now);
    }
  }

  /**
   * Handles the end of a stream.
   *
   * @param refusal the refusal of the server, if there is one
   */
  public void onEnded(int id, long stream, @Nullable Refusal refusal, String why, long now) {
    Node node = streams.of(id, stream);
    if (node == null) {
      return;
    }
    boolean wasOpening = node.phase == Node.Phase.OPENING;
    boolean isOurs = lease == null || node.session == lease.id;
    operations.trouble(refusal == null ? why : refusal.getMessage());
    operations.onStreamEnded(node);
    streams.ended(node, now);
    if (isOurs && refusal != null && refusal.getReason() == Reason.REASON_SESSION_NOT_FOUND) {
      streams.serves(node, now);
      onSessionEnded(now);
    } else if (refusal != null && wasOpening && lease == null && !isPassing(refusal)) {
      node.isOfAnother = refusal.getReason() == Reason.REASON_WRONG_CLUSTER;
      if (!node.isOfAnother || streams.isEachOfAnother()) {
        operations.failAll(new Failure.Refused(refusal), now);
      }
    }
    if (isCloseSent && !streams.isAnyOpen()) {
      closeNow(now);
    } else if (isCloseSent && closeSentTo == id) {
      isCloseSent = false; // it may be lost: ask another node
    }
  }

  private static boolean isPassing(Refusal refusal) {
    return RefusalRules.isPassing(refusal)
        || refusal.getEffect() != io.holdfast.v1.Effect.EFFECT_NONE;
  }

  private void onSessionEnded(long now) {
    endLease(LossCause.SESSION_ENDED);
    for (Node node : streams.nodes()) {
      if (node.phase != Node.Phase.AWAY) {
        boolean wasOpen = node.isOpen();
        operations.onStreamEnded(node);
        streams.end(node, /* broken= */ false, now);
        node.retryAt = now;
        if (wasOpen) {
          streams.serves(node, now);
        }
      }
    }
    operations.onSessionEnded(now);
  }

  private void endLease(LossCause reason) {
    Lease ended = lease;
    lease = null;
    if (ended != null) {
      ended.validity.end();
      grants.sessionEnded(ended.validity, reason);
    }
  }

  // ---------------------------------------------------------------- timers

  /** Executes all timers that are due. */
  public void onTick(long now) {
    if (isClosed) {
      return;
    }
    grants.expire(now);
    for (Node node : streams.silent(operations.isAnyWaiting(), now)) {
      operations.trouble("node [" + node.endpoint + "] is silent");
      operations.onStreamEnded(node);
      streams.end(node, /* broken= */ true, now);
    }
    learnAddresses(now);
    openStreams(now);
    keepAlive(now);
    grants.renewDue(now);
    givingBack.tellLate(now);
    operations.giveUp(now);
    closeWhenDone(now);
  }

  private void openStreams(long now) {
    Lease current = lease;
    if (isClosing && current == null) {
      return;
    } else if (current == null) {
      Node node = streams.candidate(now);
      if (node != null) {
        streams.open(node, open().setTtlMs(terms.ttl()).setClientId(terms.clientId()), now);
      }
      return;
    }
    for (Node node : streams.nodes()) {
      if (streams.isMissing(node, now)) {
        streams.open(node, open().setSessionId(current.id), now);
      }
    }
  }

  private SessionOpen.Builder open() {
    return SessionOpen.newBuilder().setClusterId(clusterId);
  }

  private void keepAlive(long now) {
    Lease current = lease;
    if (current == null || current.dueAt(DeadlineRules.nanos(KEEP_ALIVE_AGAIN_MILLIS)) - now > 0) {
      return;
    }
    Node node = streams.route(Routing.UNKNOWN, now);
    if (node == null) {
      return; // opening a stream renews the lease
    }
    long number = current.send(now);
    if (current.isOverdue()) {
      streams.nodes().stream()
          .filter(Node::isOpen)
          .forEach(open -> streams.keepAlive(open, number));
    } else {
      streams.keepAlive(node, number);
    }
    current.markOverdue();
  }

  private void closeWhenDone(long now) {
    boolean isAnyStream =
        lease != null || streams.isAnyOpening(); // a closing client opens no stream
    if (!isClosing || isCloseSent || (isAnyStream && operations.isAnyUndecided())) {
      return;
    }
    Node node = streams.route(Routing.UNKNOWN, now);
    if (lease == null || node == null) {
      closeNow(now);
    } else {
      isCloseSent = true;
      closeSentTo = node.id;
      streams.close(node);
    }
  }

  /** Returns the effects to execute now, in this order. */
  public List<Effect> effects(long now) {
    if (!isCloseSent) {
      operations.sendAll(now);
    }
    return streams.take();
  }

  /** Returns the time of the next call of {@link #onTick}: at least a millisecond from now. */
  public long nextTick(long now) {
    boolean isBusy =
        operations.size() > 0 || streams.isAnyOpening() || !streams.isAnyOpen() || isClosing;
    long next = now + DeadlineRules.nanos(isBusy ? BUSY_MILLIS : IDLE_MILLIS);
    Lease current = lease;
    if (current != null && streams.isAnyOpen()) {
      long due = current.dueAt(DeadlineRules.nanos(KEEP_ALIVE_AGAIN_MILLIS));
      next = next - due > 0 ? due : next;
    }
    for (Node node : streams.nodes()) {
      boolean isDue = node.phase == Node.Phase.AWAY && next - node.retryAt > 0;
      next = isDue && node.retryAt - now > 0 ? node.retryAt : next;
    }
    next = grants.nextDue(operations.nextDue(next, now));
    return DeadlineRules.later(next, now + DeadlineRules.nanos(1));
  }

  // ---------------------------------------------------------------- listeners

  Operations operations() {
    return operations;
  }

  GivingBack givingBack() {
    return givingBack;
  }

  Grants grants() {
    return grants;
  }

  Validity sessionValidity() {
    Lease current = lease;
    if (current == null) {
      throw new IllegalStateException("an answer without a session");
    }
    return current.validity;
  }

  long answerWithinNanos() {
    return DeadlineRules.nanos(terms.answerWithin());
  }
}
