package holdfast.coordination.akka;

import akka.actor.AbstractActorWithTimers;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Props;
import holdfast.coordination.CoordinationMachine;
import holdfast.coordination.CoordinationMachine.Written;
import holdfast.coordination.NodeCoordination;
import holdfast.coordination.ServiceEntries;
import holdfast.raft.ConsensusLog;
import holdfast.raft.core.Bytes;
import holdfast.raft.core.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The actor by which services follow the log: it tells them what the node applies of coordination,
 * and puts to the log what they say of their own sessions.
 */
public final class LogDesk extends AbstractActorWithTimers {

  /** What a service finds it by, at each node. */
  static final String NAME = "holdfast-log";

  /** How many may follow at one node; one more is sent on. */
  static final int MAX_FOLLOWERS = 256;

  /** How many entries of services may be without an outcome here; one more is refused. */
  static final int MAX_OPEN = 1_024;

  /** How much of a state is sent at once: Akka's links take 256 KiB. */
  static final int PART_BYTES = 64 << 10;

  private static final int ENTRIES_AT_ONCE = 64;

  /** Who is not heard for so long does not follow any more. */
  private static final long SILENT_FOR_MS = 5_000;

  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** These were applied here. */
  private record Applied(List<Written> batch) {}

  /** An answer that comes behind all that was applied before it. */
  private record Answer(ActorRef to, LogMessage.FromNode message) {}

  private enum Signal {
    RESTARTED,
    LOOK
  }

  private static final class Place {
    long told;
    long heardAtMs;
  }

  private final NodeCoordination coordination;
  private final Map<ActorRef, Place> followers = new HashMap<>();
  private Runnable silence = () -> {};
  private int open;

  private LogDesk(NodeCoordination coordination) {
    this.coordination = coordination;
  }

  /** Opens the desk of a node whose log runs. */
  public static void open(ActorSystem system, NodeCoordination coordination) {
    var unused =
        ((ExtendedActorSystem) system)
            .systemActorOf(Props.create(LogDesk.class, () -> new LogDesk(coordination)), NAME);
  }

  @Override
  public void preStart() {
    ActorRef self = getSelf();
    silence =
        coordination.copyFor(
            new CoordinationMachine.Copyist() {
              @Override
              public void written(List<Written> batch) {
                self.tell(new Applied(batch), ActorRef.noSender());
              }

              @Override
              public void restarted() {
                self.tell(Signal.RESTARTED, ActorRef.noSender());
              }
            });
    getTimers().startTimerWithFixedDelay(Signal.LOOK, Signal.LOOK, LOOK_EVERY);
  }

  @Override
  public void postStop() {
    silence.run();
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Applied.class, applied -> followers.forEach((to, at) -> tell(to, at, applied.batch)))
        .match(Answer.class, this::answer)
        .match(LogMessage.Begin.class, this::begin)
        .match(LogMessage.Follow.class, follow -> stand(getSender()))
        .match(LogMessage.Propose.class, this::propose)
        .match(LogMessage.Catch.class, this::catchUp)
        .matchEquals(Signal.RESTARTED, signal -> followers.forEach(this::tellAll))
        .matchEquals(Signal.LOOK, signal -> look())
        .build();
  }

  private void begin(LogMessage.Begin begin) {
    ActorRef follower = getSender();
    boolean isBehind = coordination.image().index() < begin.applied();
    boolean isFull = !followers.containsKey(follower) && followers.size() >= MAX_FOLLOWERS;
    if (isBehind || isFull || !coordination.mayAct()) {
      followers.remove(follower);
      stand(follower);
      return;
    }
    Place place = followers.computeIfAbsent(follower, first -> new Place());
    place.heardAtMs = nowMs();
    tellAll(follower, place);
  }

  private void tellAll(ActorRef to, Place place) {
    CoordinationMachine.Image image = coordination.image();
    byte[] state = image.state().array();
    for (int offset = 0; offset < state.length; offset += PART_BYTES) {
      byte[] part = Arrays.copyOfRange(state, offset, Math.min(state.length, offset + PART_BYTES));
      send(to, new LogMessage.ImagePart(image.index(), offset, state.length, Bytes.of(part)));
    }
    place.told = image.index();
  }

  private void tell(ActorRef to, Place place, List<Written> batch) {
    List<Written> news = new ArrayList<>();
    for (Written entry : batch) {
      if (entry.index() > place.told) { // else its state had it already
        news.add(entry);
      }
    }
    for (int first = 0; first < news.size(); first += ENTRIES_AT_ONCE) {
      List<Written> some = news.subList(first, Math.min(news.size(), first + ENTRIES_AT_ONCE));
      send(to, new LogMessage.Entries(place.told, some));
      place.told = some.get(some.size() - 1).index();
    }
  }

  private void stand(ActorRef follower) {
    Place place = followers.get(follower);
    if (place != null) {
      place.heardAtMs = nowMs();
    }
    send(
        follower,
        new LogMessage.Standing(
            place == null ? LogMessage.Standing.NOTHING : place.told, coordination.mayAct()));
  }

  private void propose(LogMessage.Propose propose) {
    ConsensusLog log = coordination.log();
    ActorRef to = getSender();
    if (log == null || open >= MAX_OPEN || !isAllowed(propose)) {
      send(to, new LogMessage.Proposed(propose.number(), LogMessage.Became.REFUSED));
      return;
    }
    open++;
    ActorRef self = getSelf();
    var unused =
        log.propose(propose.payload().array())
            .thenAccept(
                outcome ->
                    self.tell(
                        new Answer(to, new LogMessage.Proposed(propose.number(), became(outcome))),
                        ActorRef.noSender()));
  }

  private boolean isAllowed(LogMessage.Propose propose) {
    return ServiceEntries.allow(
        propose.payload().array(),
        session ->
            coordination.read(
                state -> state.session(session).filter(found -> !found.isService()).isPresent()));
  }

  private static LogMessage.Became became(Outcome outcome) {
    return outcome.isApplied()
        ? LogMessage.Became.APPLIED
        : outcome.isUnknown() ? LogMessage.Became.UNKNOWN : LogMessage.Became.REFUSED;
  }

  private void catchUp(LogMessage.Catch asked) {
    ActorRef self = getSelf();
    ActorRef to = getSender();
    var unused =
        coordination
            .barrier()
            .caughtUp()
            .thenAccept(
                isSafe ->
                    self.tell(
                        new Answer(to, new LogMessage.Caught(asked.number(), isSafe)),
                        ActorRef.noSender()));
  }

  private void answer(Answer answer) {
    if (answer.message instanceof LogMessage.Proposed) {
      open--;
    }
    send(answer.to, answer.message);
  }

  private void look() {
    long now = nowMs();
    followers.values().removeIf(place -> now - place.heardAtMs > SILENT_FOR_MS);
  }

  private void send(ActorRef to, LogMessage.FromNode message) {
    to.tell(message, getSelf());
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
