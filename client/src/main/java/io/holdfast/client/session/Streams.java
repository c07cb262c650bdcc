package io.holdfast.client.session;

import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The streams to the nodes. Opens them, probes silent ones, and replaces broken ones. */
final class Streams {

  /*
   * A frozen node.
   *
   * The connection of a frozen node stays open, and its kernel still accepts bytes. Only its silence
   * shows that it is frozen. If a stream with undecided operations is silent for a moment, the client
   * probes it: it sends a read that the node can answer from its own memory, without a majority and
   * without owning the key. If nothing comes after that, the node counts as frozen, and its operations
   * are resent to other nodes under their numbers.
   *
   * A pause of the client itself is no silence of the nodes: time that the client's clock skips
   * between two ticks does not count.
   *
   * The client opens a session at one node. If the node is silent for a moment, the client also tries
   * another one, and the first answer wins: the address of a dead node is silent for seconds. A second
   * session that is opened later holds nothing, and is closed on its stream. A session whose stream
   * was lost before its first answer expires after its ttl.
   */

  private static final int MAX_NODES = 64;
  private static final int MAX_FRAME_BYTES =
      48 * 1_024; // of 64 KiB; one operation has 9 KiB at most
  private static final int MAX_FRAME_OPERATIONS = 1_000; // of 1,024
  private static final long OPEN_WITHIN_MILLIS = 1_000; // doubled with each failure
  private static final int OPEN_DOUBLINGS = 2;
  private static final long OPEN_ELSEWHERE_AFTER_MILLIS = 300;
  private static final int MAX_OPENINGS = 3; // of a session, at once
  private static final long SHUNNED_MILLIS = 500;
  private static final long QUIET_MILLIS = 10_000;
  private static final long QUIET_WHILE_WAITING_MILLIS = 1_000;
  private static final int PATIENCE_WITH_THE_LAST = 4;
  private static final long SKIPPED_MILLIS = 300;
  private static final String PROBED_KEY = "is-anyone-there";

  private final SessionTerms terms;
  private final Backoff backoff;
  private final OpenNumbers numbers;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private int home;
  private long streams;
  private long tickedAt;

  Streams(SessionTerms terms, Backoff backoff, OpenNumbers numbers, long now) {
    this.terms = terms;
    this.backoff = backoff;
    this.numbers = numbers;
    this.tickedAt = now;
  }

  List<Node> nodes() {
    return nodes;
  }

  /** Adds an address, up to a limit. */
  void add(String endpoint, long now) {
    boolean known = nodes.stream().anyMatch(node -> node.endpoint.equals(endpoint));
    if (!known && nodes.size() < MAX_NODES) {
      nodes.add(new Node(nodes.size(), endpoint, now));
    }
  }

  /** Returns the node of this stream, or null if the stream was replaced. */
  @Nullable Node of(int node, long stream) {
    Node found = nodes.get(node);
    return found.phase != Node.Phase.AWAY && found.stream == stream ? found : null;
  }

  boolean isAnyOpen() {
    return nodes.stream().anyMatch(Node::isOpen);
  }

  boolean isAnyOpening() {
    return nodes.stream().anyMatch(node -> node.phase == Node.Phase.OPENING);
  }

  /**
   * Returns the best node to open a session at; null if there is none, or if an attempt is in
   * progress.
   */
  @Nullable Node candidate(long now) {
    Node best = null;
    int openings = 0;
    for (Node node : nodes) {
      if (node.phase == Node.Phase.OPENING) {
        openings++;
        if (now - node.awaitedFrom < DeadlineRules.nanos(OPEN_ELSEWHERE_AFTER_MILLIS)) {
          return null;
        }
      }
      boolean isReady = node.phase == Node.Phase.AWAY && node.retryAt - now <= 0;
      if (isReady && (best == null || isBetter(node, best))) {
        best = node;
      }
    }
    return openings < MAX_OPENINGS ? best : null;
  }

  private static boolean isBetter(Node node, Node than) {
    return node.isOfAnother == than.isOfAnother ? node.failures < than.failures : than.isOfAnother;
  }

  /** True if no known address may belong to this cluster. */
  boolean isEachOfAnother() {
    return nodes.stream().allMatch(node -> node.isOfAnother);
  }

  /** True if this node needs a stream. */
  boolean isMissing(Node node, long now) {
    return node.phase == Node.Phase.AWAY
        && node.retryAt - now <= 0
        && (node.member == 0 || memberNode(node.member) == null);
  }

  void open(Node node, SessionOpen.Builder open, long now) {
    node.phase = Node.Phase.OPENING;
    node.stream = ++streams;
    node.session = open.getSessionId();
    node.openedAt = now;
    node.awaitedFrom = now;
    node.probe = 0;
    node.out = 0;
    node.load = 0;
    node.isLeaving = false;
    node.next = SessionRequest.newBuilder();
    node.hasNext = false;
    node.nextBytes = 0;
    SessionRequest first =
        SessionRequest.newBuilder().setOpen(open).setLowestOpenNumber(numbers.lowest()).build();
    effects.add(new Effect.Open(node.id, node.endpoint, node.stream, first));
  }

  /** Handles the first frame of a stream. */
  void opened(Node node, long member, SessionOpened opened, long now) {
    node.phase = Node.Phase.OPEN;
    node.session = opened.getSessionId();
    node.member = member;
    node.maxLoad = Math.max(1, opened.getMaxOpenOperations());
    node.failures = 0;
    node.heardAt = now;
    node.isShunned = false;
    node.isOfAnother = false;
  }

  /**
   * Handles a frame.
   *
   * @param session the client's session; 0: the frame may bring one
   * @return true if the frame is of that session
   */
  boolean heard(Node node, SessionResponse frame, long session, long now) {
    node.heardAt = now;
    boolean isOther =
        session != 0 && frame.hasOpened() && frame.getOpened().getSessionId() != session;
    if (isOther && node.phase == Node.Phase.OPENING) {
      node.phase = Node.Phase.CLOSING;
      node.session = frame.getOpened().getSessionId();
      node.member = frame.getHeader().getMemberId();
      node.awaitedFrom = now;
      close(node);
      flush(node);
    } else if (node.phase == Node.Phase.CLOSING && frame.getClosed()) {
      end(node, /* broken= */ false, now);
      serves(node, now);
      return false;
    }
    return !isOther && node.phase != Node.Phase.CLOSING;
  }

  /** True for the answer to a probe, which only shows that the node is alive. */
  boolean isProbe(Node node, long number) {
    if (node.probe != number || number == 0) {
      return false;
    }
    numbers.finish(number);
    node.probe = 0;
    return true;
  }

  /** Notes that a node has refused to serve for now. */
  void shun(Node node, long now) {
    node.isShunned = true;
    node.shunnedUntil = now + DeadlineRules.nanos(SHUNNED_MILLIS);
  }

  /** Handles the end of a stream; the next attempt comes after a backoff. */
  void ended(Node node, long now) {
    if (node.probe != 0) {
      numbers.finish(node.probe);
      node.probe = 0;
    }
    node.phase = Node.Phase.AWAY;
    boolean isStranger = node.member == 0 && nodes.stream().anyMatch(Node::isOpen);
    node.retryAt =
        now + (isStranger ? backoff.nanosOfStranger(node.failures) : backoff.nanos(node.failures));
    node.failures++;
  }

  /** Ends a stream from this side. */
  void end(Node node, boolean broken, long now) {
    effects.add(new Effect.End(node.id, node.stream, broken));
    ended(node, now);
  }

  /** Returns the stream for an operation on a key of this member; null if no stream serves. */
  @Nullable Node route(long owner, long now) {
    Node best = owner == Routing.UNKNOWN ? null : memberNode(owner);
    if (best != null && best.isGood(now)) {
      return best;
    }
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get((home + i) % nodes.size());
      if (node.isGood(now)) {
        home = node.id;
        return node;
      }
    }
    return nodes.stream().filter(Node::isOpen).findFirst().orElse(null);
  }

  private @Nullable Node memberNode(long member) {
    for (Node node : nodes) {
      if (node.isOpen() && node.member == member) {
        return node;
      }
    }
    return null;
  }

  void send(Node node, Operation operation) {
    node.next.addOperations(operation);
    node.hasNext = true;
    node.nextBytes += operation.getSerializedSize();
    if (node.nextBytes > MAX_FRAME_BYTES
        || node.next.getOperationsCount() >= MAX_FRAME_OPERATIONS) {
      flush(node);
    }
  }

  void keepAlive(Node node, long number) {
    node.next.setKeepAliveNumber(number);
    node.hasNext = true;
  }

  void close(Node node) {
    node.next.setClose(true);
    node.hasNext = true;
  }

  private void flush(Node node) {
    if (node.hasNext) {
      node.next.setLowestOpenNumber(numbers.lowest());
      effects.add(new Effect.Send(node.id, node.stream, node.next.build()));
      node.next = SessionRequest.newBuilder();
      node.hasNext = false;
      node.nextBytes = 0;
    }
  }

  /** Returns the actions to execute, with all frames to send. */
  List<Effect> take() {
    nodes.stream().filter(Node::isOpen).forEach(this::flush);
    List<Effect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /**
   * Notes that a node serves although it has ended the stream: the next attempt is at this node, at
   * once.
   */
  void serves(Node node, long now) {
    node.failures = 0;
    node.retryAt = now;
  }

  /** Probes silent nodes; returns those that did not answer a probe. */
  List<Node> silent(boolean isAnythingWaiting, long now) {
    forgiveSkipped(now);
    List<Node> silent = new ArrayList<>();
    for (Node node : nodes) {
      if (node.phase == Node.Phase.OPENING || node.phase == Node.Phase.CLOSING) {
        long within = OPEN_WITHIN_MILLIS << Math.min(node.failures, OPEN_DOUBLINGS);
        if (now - node.awaitedFrom > DeadlineRules.nanos(within)) {
          silent.add(node);
        }
      } else if (node.isOpen() && node.probe != 0) {
        long quiet = now - DeadlineRules.later(node.heardAt, node.probedAt);
        if (quiet > DeadlineRules.nanos(patience(node))) {
          silent.add(node);
        }
      } else if (node.isOpen() && now - node.heardAt > quietNanos(node, isAnythingWaiting)) {
        probe(node, now);
      }
    }
    return silent;
  }

  private long patience(Node node) {
    boolean isLast = nodes.stream().noneMatch(other -> other != node && other.isOpen());
    return terms.silentAfter() * (isLast ? PATIENCE_WITH_THE_LAST : 1);
  }

  private long quietNanos(Node node, boolean isAnythingWaiting) {
    return DeadlineRules.nanos(
        node.out > 0
            ? terms.probeAfter()
            : isAnythingWaiting ? QUIET_WHILE_WAITING_MILLIS : QUIET_MILLIS);
  }

  private void probe(Node node, long now) {
    node.probe = numbers.take();
    node.probedAt = now;
    send(
        node,
        Operation.newBuilder()
            .setNumber(node.probe)
            .setGetLock(GetLockRequest.newBuilder().setKey(PROBED_KEY).setSerializable(true))
            .build());
  }

  private void forgiveSkipped(long now) {
    long skipped = now - tickedAt;
    tickedAt = now;
    if (skipped > DeadlineRules.nanos(SKIPPED_MILLIS)) {
      for (Node node : nodes) {
        node.awaitedFrom += skipped;
        node.heardAt += skipped;
        node.probedAt += skipped;
      }
    }
  }
}
