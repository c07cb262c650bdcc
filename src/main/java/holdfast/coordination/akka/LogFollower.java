package holdfast.coordination.akka;

import akka.actor.AbstractActorWithTimers;
import akka.actor.ActorRef;
import akka.actor.ExtendedActorSystem;
import akka.actor.Props;
import holdfast.coordination.CoordinationMachine;
import holdfast.coordination.CoordinationMachine.Written;
import holdfast.coordination.state.Session;
import holdfast.coordination.state.SessionTimes;
import holdfast.raft.core.Bytes;
import holdfast.raft.core.Outcome;
import holdfast.raft.core.ReadOutcome;
import holdfast.raft.core.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor of a service that follows the log by way of one node at a time. A node that is silent,
 * or hears from no majority, is left for the next; what was put to the log there has an unknown
 * outcome then.
 */
final class LogFollower extends AbstractActorWithTimers {

  private static final Logger log = LoggerFactory.getLogger(LogFollower.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** A node that says nothing for so long is left. A session must outlive several of them. */
  private static final long SILENT_FOR_MS = 400;

  /**
   * In the time of so many renewals of its own something must be applied at the node: else it does
   * not hear from the leader, though it may not know yet.
   */
  private static final int RENEWALS_MISSED = 2;

  /** How many entries, and how many questions, may be without an answer. */
  private static final int MAX_OPEN = 256;

  /** Put this to the log. */
  record Propose(Bytes payload, CompletableFuture<Outcome> outcome) {}

  /** Tell when all is applied that is applied anywhere. */
  record CatchUp(CompletableFuture<ReadOutcome> outcome) {}

  enum Signal {
    LOOK,
    STOP
  }

  private final CoordinationMachine machine;
  private final LogHosts hosts;
  private final long newsWithinMs;
  private final ImageParts parts = new ImageParts();
  private final Map<Long, CompletableFuture<Outcome>> proposals = new HashMap<>();
  private final Map<Long, CompletableFuture<ReadOutcome>> reads = new HashMap<>();
  private ActorRef node;
  private long applied;
  private boolean follows;
  private boolean leaves;
  private long heardAtMs = nowMs();
  private long newsAtMs;
  private long lastNumber;

  private LogFollower(CoordinationMachine machine, List<String> contacts, long newsWithinMs) {
    this.machine = machine;
    this.newsWithinMs = newsWithinMs;
    hosts = new LogHosts(contacts);
    node = desk(hosts.current());
  }

  /**
   * Follows for this machine.
   *
   * @param contacts Akka addresses of nodes, one at least
   * @param times what this session's, and so the log's, life is like
   */
  static Props props(CoordinationMachine machine, List<String> contacts, SessionTimes times) {
    long newsWithinMs = (long) RENEWALS_MISSED * times.renewalMs();
    return Props.create(LogFollower.class, () -> new LogFollower(machine, contacts, newsWithinMs));
  }

  @Override
  public void preStart() {
    getTimers().startTimerWithFixedDelay(Signal.LOOK, Signal.LOOK, LOOK_EVERY);
    begin();
  }

  @Override
  public void postStop() {
    endOpen();
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(LogMessage.FromNode.class, message -> !isCurrent(), message -> {})
        .match(LogMessage.Entries.class, this::entries)
        .match(LogMessage.Proposed.class, this::proposed)
        .match(LogMessage.Standing.class, this::standing)
        .match(LogMessage.Caught.class, this::caught)
        .match(LogMessage.ImagePart.class, part -> parts.add(part).ifPresent(this::restore))
        .match(Propose.class, this::propose)
        .match(CatchUp.class, this::catchUp)
        .matchEquals(Signal.LOOK, signal -> look())
        .matchEquals(Signal.STOP, signal -> getContext().stop(getSelf()))
        .build();
  }

  /** Whether the message is from the node that is followed now. */
  private boolean isCurrent() {
    return getSender().path().address().toString().equals(hosts.current());
  }

  private void look() {
    if (nowMs() - heardAtMs >= SILENT_FOR_MS) {
      goOn("it is silent");
    } else if (leaves) {
      goOn("it cannot help");
    } else if (follows && nowMs() - newsAtMs >= newsWithinMs) {
      goOn("nothing is applied there");
    } else if (follows) {
      send(new LogMessage.Follow());
    } else {
      begin();
    }
  }

  private void begin() {
    follows = false;
    send(new LogMessage.Begin(applied));
  }

  private void goOn(String why) {
    String left = hosts.current();
    if (follows) {
      log.info("follows the log by another node than {}: {}", left, why);
    }
    node = desk(hosts.next());
    heardAtMs = nowMs();
    leaves = false;
    endOpen();
    begin();
  }

  private void endOpen() {
    List<Map.Entry<Long, CompletableFuture<Outcome>>> unknown = List.copyOf(proposals.entrySet());
    List<Map.Entry<Long, CompletableFuture<ReadOutcome>>> unread = List.copyOf(reads.entrySet());
    proposals.clear();
    reads.clear();
    unknown.forEach(each -> each.getValue().complete(Outcome.unknown(each.getKey())));
    unread.forEach(
        each -> each.getValue().complete(ReadOutcome.refused(each.getKey(), Refusal.NO_LEADER)));
  }

  // ------------------------------------------------------------------ what the node tells

  private void standing(LogMessage.Standing standing) {
    heardAtMs = nowMs();
    leaves = !standing.serves() || standing.told() == LogMessage.Standing.NOTHING;
    if (!leaves && follows && standing.told() != applied) {
      begin(); // something was lost on the way
    }
  }

  private void restore(CoordinationMachine.Image image) {
    if (image.index() < applied) {
      return; // late: of a node that was left and found again
    }
    try {
      machine.restore(image);
    } catch (IOException e) {
      log.error("the state of the nodes cannot be read, are they of a later release?", e);
      return;
    }
    heardAtMs = nowMs();
    newsAtMs = nowMs();
    applied = image.index();
    if (!follows) {
      follows = true;
      log.info("follows the log by {}", hosts.current());
    }
    learnHosts();
  }

  private void entries(LogMessage.Entries entries) {
    if (!follows || entries.after() != applied) {
      return; // the node's next standing shows it
    }
    heardAtMs = nowMs();
    newsAtMs = nowMs();
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
    CompletableFuture<Outcome> outcome = proposals.remove(proposed.number());
    if (outcome != null) {
      outcome.complete(
          switch (proposed.became()) {
            case APPLIED -> Outcome.applied(proposed.number(), Math.max(1, applied));
            case REFUSED -> Outcome.refused(proposed.number(), Refusal.NO_LEADER);
            case UNKNOWN -> Outcome.unknown(proposed.number());
          });
    }
  }

  private void caught(LogMessage.Caught caught) {
    CompletableFuture<ReadOutcome> outcome = reads.remove(caught.number());
    if (outcome != null) {
      boolean isSafe = caught.isSafe() && follows;
      outcome.complete(
          isSafe
              ? ReadOutcome.safe(caught.number(), applied)
              : ReadOutcome.refused(caught.number(), Refusal.NO_LEADER));
    }
  }

  // ------------------------------------------------------------------ what the service asks

  private void propose(Propose propose) {
    long number = ++lastNumber;
    if (!follows) {
      propose.outcome.complete(Outcome.refused(number, Refusal.NO_LEADER));
    } else if (proposals.size() >= MAX_OPEN) {
      propose.outcome.complete(Outcome.refused(number, Refusal.QUEUE_FULL));
    } else {
      proposals.put(number, propose.outcome);
      send(new LogMessage.Propose(number, propose.payload));
    }
  }

  private void catchUp(CatchUp asked) {
    long number = ++lastNumber;
    if (!follows || reads.size() >= MAX_OPEN) {
      asked.outcome.complete(ReadOutcome.refused(number, Refusal.NO_LEADER));
    } else {
      reads.put(number, asked.outcome);
      send(new LogMessage.Catch(number));
    }
  }

  private void send(LogMessage.ToNode message) {
    node.tell(message, getSelf());
  }

  /** Whichever process is at that address, by a reference without its number. */
  private ActorRef desk(String address) {
    return ((ExtendedActorSystem) getContext().getSystem())
        .provider()
        .resolveActorRef(address + "/system/" + LogDesk.NAME);
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
