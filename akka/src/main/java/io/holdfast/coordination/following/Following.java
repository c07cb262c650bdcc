package io.holdfast.coordination.following;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.CoordinationReplica.Written;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules by which a service follows the log, at one node at a time. If the node is silent, or
 * does not reach a majority, the service changes to the next node, and its open proposals have an
 * unknown outcome.
 *
 * <p>Used by one thread. Times are arguments.
 */
final class Following {

  private static final Logger log = LoggerFactory.getLogger(Following.class);

  /** The time between two calls of {@link #look}. */
  static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** The silence after which the service changes to another node. A session outlives several. */
  private static final long SILENT_FOR_MS = 400;

  /**
   * The number of the service's renewals within which the node must apply something. One that does
   * not is cut off from the leader, even if it does not know yet.
   */
  private static final int RENEWALS_MISSED = 2;

  /**
   * The time after which a request without an answer counts as lost. Its outcome is unknown, and
   * the caller may ask again.
   */
  static final long ANSWER_WITHIN_MS = 1_000;

  /** The most proposals without an answer, and the most reads. */
  private static final int MAX_OPEN = 256;

  /** Sends a message to the node with this Akka address. It may be lost. */
  interface Post {
    void send(String node, LogMessage.ToNode message);
  }

  /** A request of the service itself. */
  sealed interface Question {}

  /** Proposes an entry to the log. */
  record Propose(Bytes payload, CompletableFuture<LogMessage.Became> outcome) implements Question {}

  /** Completes once everything is applied here that is applied on any node now. */
  record CatchUp(CompletableFuture<Boolean> outcome) implements Question {}

  private record Open<T>(long sinceMs, CompletableFuture<T> outcome) {}

  private final CoordinationReplica replica;
  private final LogHosts hosts;
  private final long applyWithinMs;
  private final Post post;
  private final ImageParts parts = new ImageParts();
  private final Map<Long, Open<LogMessage.Became>> proposals = new HashMap<>();
  private final Map<Long, Open<Boolean>> reads = new HashMap<>();
  private long applied;
  private boolean follows;
  private boolean mustChange;
  private long receivedAtMs;
  private long appliedAtMs;
  private long lastNumber;

  /**
   * Follows for this replica, from {@link #begin} on.
   *
   * @param contacts Akka addresses of nodes, one at least
   * @param times the times of the sessions
   */
  Following(
      CoordinationReplica replica,
      List<String> contacts,
      SessionTimes times,
      Post post,
      long nowMs) {
    this.replica = replica;
    this.post = post;
    hosts = new LogHosts(contacts);
    applyWithinMs = (long) RENEWALS_MISSED * times.renewalMs();
    receivedAtMs = nowMs;
  }

  /** Returns the node at which it follows, or tries to. */
  String node() {
    return hosts.current();
  }

  /** Asks the node for its current state. */
  void begin() {
    follows = false;
    send(new LogMessage.Begin(applied));
  }

  /** Sends a keepalive, or changes to another node if this one does not serve. */
  void look(long nowMs) {
    end(nowMs - ANSWER_WITHIN_MS);
    if (nowMs - receivedAtMs >= SILENT_FOR_MS) {
      changeNode("it is silent", nowMs);
    } else if (mustChange) {
      changeNode("it does not serve", nowMs);
    } else if (follows && nowMs - appliedAtMs >= applyWithinMs) {
      changeNode("nothing is applied there", nowMs);
    } else if (follows) {
      send(new LogMessage.Follow());
    } else {
      begin();
    }
  }

  private void changeNode(String why, long nowMs) {
    String left = hosts.current();
    if (follows) {
      log.info("follows the log at another node than {}: {}", left, why);
    }
    hosts.next();
    receivedAtMs = nowMs;
    mustChange = false;
    endOpen();
    begin();
  }

  /** Ends all open requests without an answer. */
  void endOpen() {
    end(Long.MAX_VALUE);
  }

  /** Ends the open requests that were made by then. */
  private void end(long askedUntilMs) {
    take(proposals, askedUntilMs)
        .forEach((number, open) -> open.outcome.complete(LogMessage.Became.UNKNOWN));
    take(reads, askedUntilMs).forEach((number, open) -> open.outcome.complete(false));
  }

  private static <T> Map<Long, Open<T>> take(Map<Long, Open<T>> from, long askedUntilMs) {
    Map<Long, Open<T>> taken = new TreeMap<>(from);
    taken.values().removeIf(open -> open.sinceMs > askedUntilMs);
    from.keySet().removeAll(taken.keySet());
    return taken;
  }

  // ------------------------------------------------------------------ messages of the node

  /** Handles a message of a node. Only messages of the current node count. */
  void receive(String from, LogMessage.FromNode message, long nowMs) {
    if (!from.equals(hosts.current())) {
      return;
    } else if (message instanceof LogMessage.Entries entries) {
      entries(entries, nowMs);
    } else if (message instanceof LogMessage.Proposed proposed) {
      proposed(proposed);
    } else if (message instanceof LogMessage.FollowStatus status) {
      status(status, nowMs);
    } else if (message instanceof LogMessage.Caught caught) {
      caught(caught);
    } else if (message instanceof LogMessage.ImagePart part) {
      parts.add(part).ifPresent(image -> restore(image, nowMs));
    } else {
      throw new IllegalStateException("unknown message [" + message + "]");
    }
  }

  private void status(LogMessage.FollowStatus status, long nowMs) {
    receivedAtMs = nowMs;
    mustChange = !status.serves() || status.told() == LogMessage.FollowStatus.NOTHING;
    if (!mustChange && follows && status.told() != applied) {
      begin(); // a message was lost
    }
  }

  private void restore(CoordinationReplica.Image image, long nowMs) {
    if (image.index() < applied) {
      return; // it is late, and of an earlier time at this node
    }
    try {
      replica.restore(image);
    } catch (IOException e) {
      log.error("the state of the nodes cannot be read, are they of a later release?", e);
      return;
    }
    receivedAtMs = nowMs;
    appliedAtMs = nowMs;
    applied = image.index();
    if (!follows) {
      follows = true;
      log.info("follows the log at {}", hosts.current());
    }
    updateHosts();
  }

  private void entries(LogMessage.Entries entries, long nowMs) {
    if (!follows || entries.after() != applied) {
      return; // the node's next status shows the gap
    }
    receivedAtMs = nowMs;
    appliedAtMs = nowMs;
    for (Written entry : entries.entries()) {
      replica.apply(entry.index(), entry.payload().array());
      applied = entry.index();
    }
    replica.batchApplied(applied);
    updateHosts();
  }

  private void updateHosts() {
    hosts.know(
        replica.read(
            state ->
                state.sessions().stream()
                    .filter(session -> !session.isService())
                    .map(Session::akkaAddress)
                    .toList()));
  }

  private void proposed(LogMessage.Proposed proposed) {
    Open<LogMessage.Became> open = proposals.remove(proposed.number());
    if (open != null) {
      open.outcome.complete(proposed.became());
    }
  }

  private void caught(LogMessage.Caught caught) {
    Open<Boolean> open = reads.remove(caught.number());
    if (open != null) {
      open.outcome.complete(caught.isSafe() && follows);
    }
  }

  // ------------------------------------------------------------------ requests of the service

  void propose(Propose propose, long nowMs) {
    long number = ++lastNumber;
    if (!follows || proposals.size() >= MAX_OPEN) {
      propose.outcome.complete(LogMessage.Became.REFUSED);
    } else {
      proposals.put(number, new Open<>(nowMs, propose.outcome));
      send(new LogMessage.Propose(number, propose.payload));
    }
  }

  void catchUp(CatchUp asked, long nowMs) {
    long number = ++lastNumber;
    if (!follows || reads.size() >= MAX_OPEN) {
      asked.outcome.complete(false);
    } else {
      reads.put(number, new Open<>(nowMs, asked.outcome));
      send(new LogMessage.Catch(number));
    }
  }

  private void send(LogMessage.ToNode message) {
    post.send(hosts.current(), message);
  }
}
