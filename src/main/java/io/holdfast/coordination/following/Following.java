package io.holdfast.coordination.following;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.CoordinationMachine.Written;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
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
 * The rules by which a service follows the log, by way of one node at a time. A node that is
 * silent, or hears from no majority, is left for the next; what was put to the log there has an
 * unknown outcome then.
 *
 * <p>Used by one thread, and without a clock: whoever calls says how late it is.
 */
final class Following {

  private static final Logger log = LoggerFactory.getLogger(Following.class);

  /** The time between two calls of {@link #look}. */
  static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** A node that says nothing for so long is left. A session must outlive several of them. */
  private static final long SILENT_FOR_MS = 400;

  /**
   * In the time of so many renewals of its own something must be applied at the node: else it does
   * not hear from the leader, though it may not know yet.
   */
  private static final int RENEWALS_MISSED = 2;

  /**
   * The time after which a question without an answer counts as lost: its outcome is unknown, and
   * whoever asked may ask again.
   */
  static final long ANSWER_WITHIN_MS = 1_000;

  /** The most entries without an answer, and the most questions. */
  private static final int MAX_OPEN = 256;

  /** Brings a message to the node that has this Akka address; or it is lost. */
  interface Post {
    void send(String node, LogMessage.ToNode message);
  }

  /** A request of the service itself. */
  sealed interface Question {}

  /** Put this to the log. */
  record Propose(Bytes payload, CompletableFuture<ProposalOutcome> outcome) implements Question {}

  /** Tell when all is applied that is applied anywhere. */
  record CatchUp(CompletableFuture<ReadOutcome> outcome) implements Question {}

  /** Follow no more. */
  record Stop() implements Question {}

  private record Open<T>(long sinceMs, CompletableFuture<T> outcome) {}

  private final CoordinationMachine machine;
  private final LogHosts hosts;
  private final long newsWithinMs;
  private final Post post;
  private final ImageParts parts = new ImageParts();
  private final Map<Long, Open<ProposalOutcome>> proposals = new HashMap<>();
  private final Map<Long, Open<ReadOutcome>> reads = new HashMap<>();
  private long applied;
  private boolean follows;
  private boolean leaves;
  private long heardAtMs;
  private long newsAtMs;
  private long lastNumber;

  /**
   * Follows for this machine, once it is told to {@link #begin}.
   *
   * @param contacts Akka addresses of nodes, one at least
   * @param times what this session's, and so the log's, life is like
   */
  Following(
      CoordinationMachine machine,
      List<String> contacts,
      SessionTimes times,
      Post post,
      long nowMs) {
    this.machine = machine;
    this.post = post;
    hosts = new LogHosts(contacts);
    newsWithinMs = (long) RENEWALS_MISSED * times.renewalMs();
    heardAtMs = nowMs;
  }

  /** By which node it follows, or tries to. */
  String node() {
    return hosts.current();
  }

  /** Asks the node for the state as it is. */
  void begin() {
    follows = false;
    send(new LogMessage.Begin(applied));
  }

  /** Time has passed. */
  void look(long nowMs) {
    end(nowMs - ANSWER_WITHIN_MS);
    if (nowMs - heardAtMs >= SILENT_FOR_MS) {
      goOn("it is silent", nowMs);
    } else if (leaves) {
      goOn("it cannot help", nowMs);
    } else if (follows && nowMs - newsAtMs >= newsWithinMs) {
      goOn("nothing is applied there", nowMs);
    } else if (follows) {
      send(new LogMessage.Follow());
    } else {
      begin();
    }
  }

  private void goOn(String why, long nowMs) {
    String left = hosts.current();
    if (follows) {
      log.info("follows the log by another node than {}: {}", left, why);
    }
    hosts.next();
    heardAtMs = nowMs;
    leaves = false;
    endOpen();
    begin();
  }

  /** Nothing that is open will be answered any more. */
  void endOpen() {
    end(Long.MAX_VALUE);
  }

  /** Nor will what was asked by then. */
  private void end(long askedUntilMs) {
    take(proposals, askedUntilMs)
        .forEach((number, open) -> open.outcome.complete(ProposalOutcome.unknown(number)));
    take(reads, askedUntilMs)
        .forEach(
            (number, open) ->
                open.outcome.complete(ReadOutcome.refused(number, RaftRefusal.NO_LEADER)));
  }

  private static <T> Map<Long, Open<T>> take(Map<Long, Open<T>> from, long askedUntilMs) {
    Map<Long, Open<T>> taken = new TreeMap<>(from);
    taken.values().removeIf(open -> open.sinceMs > askedUntilMs);
    from.keySet().removeAll(taken.keySet());
    return taken;
  }

  // ------------------------------------------------------------------ what the node tells

  /** A node said this. One that is not followed now is not heard. */
  void hear(String from, LogMessage.FromNode message, long nowMs) {
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
      throw new IllegalStateException("a node says [" + message + "]");
    }
  }

  private void status(LogMessage.FollowStatus status, long nowMs) {
    heardAtMs = nowMs;
    leaves = !status.serves() || status.told() == LogMessage.FollowStatus.NOTHING;
    if (!leaves && follows && status.told() != applied) {
      begin(); // something was lost on the way
    }
  }

  private void restore(CoordinationMachine.Image image, long nowMs) {
    if (image.index() < applied) {
      return; // late: of a node that was left and found again
    }
    try {
      machine.restore(image);
    } catch (IOException e) {
      log.error("the state of the nodes cannot be read, are they of a later release?", e);
      return;
    }
    heardAtMs = nowMs;
    newsAtMs = nowMs;
    applied = image.index();
    if (!follows) {
      follows = true;
      log.info("follows the log by {}", hosts.current());
    }
    learnHosts();
  }

  private void entries(LogMessage.Entries entries, long nowMs) {
    if (!follows || entries.after() != applied) {
      return; // the node's next status shows it
    }
    heardAtMs = nowMs;
    newsAtMs = nowMs;
    for (Written entry : entries.entries()) {
      machine.apply(entry.index(), /* term= */ 0, entry.payload().array());
      applied = entry.index();
    }
    machine.batchApplied(applied);
    learnHosts();
  }

  private void learnHosts() {
    hosts.know(
        machine.read(
            state ->
                state.sessions().stream()
                    .filter(session -> !session.isService())
                    .map(Session::akkaAddress)
                    .toList()));
  }

  private void proposed(LogMessage.Proposed proposed) {
    Open<ProposalOutcome> open = proposals.remove(proposed.number());
    if (open != null) {
      open.outcome.complete(
          switch (proposed.became()) {
            case APPLIED -> ProposalOutcome.applied(proposed.number(), Math.max(1, applied));
            case REFUSED -> ProposalOutcome.refused(proposed.number(), RaftRefusal.NO_LEADER);
            case UNKNOWN -> ProposalOutcome.unknown(proposed.number());
          });
    }
  }

  private void caught(LogMessage.Caught caught) {
    Open<ReadOutcome> open = reads.remove(caught.number());
    if (open != null) {
      boolean isSafe = caught.isSafe() && follows;
      open.outcome.complete(
          isSafe
              ? ReadOutcome.safe(caught.number(), applied)
              : ReadOutcome.refused(caught.number(), RaftRefusal.NO_LEADER));
    }
  }

  // ------------------------------------------------------------------ what the service asks

  void propose(Propose propose, long nowMs) {
    long number = ++lastNumber;
    if (!follows) {
      propose.outcome.complete(ProposalOutcome.refused(number, RaftRefusal.NO_LEADER));
    } else if (proposals.size() >= MAX_OPEN) {
      propose.outcome.complete(ProposalOutcome.refused(number, RaftRefusal.QUEUE_FULL));
    } else {
      proposals.put(number, new Open<>(nowMs, propose.outcome));
      send(new LogMessage.Propose(number, propose.payload));
    }
  }

  void catchUp(CatchUp asked, long nowMs) {
    long number = ++lastNumber;
    if (!follows || reads.size() >= MAX_OPEN) {
      asked.outcome.complete(ReadOutcome.refused(number, RaftRefusal.NO_LEADER));
    } else {
      reads.put(number, new Open<>(nowMs, asked.outcome));
      send(new LogMessage.Catch(number));
    }
  }

  private void send(LogMessage.ToNode message) {
    post.send(hosts.current(), message);
  }
}
