package holdfast.simulation.cluster;

import holdfast.entity.LeaseAnswer;
import holdfast.entity.LeaseMessage;
import holdfast.entity.LockAnswer;
import holdfast.entity.LockMessage;
import holdfast.entity.Renewal;
import holdfast.entity.SimulatedShards;
import holdfast.lease.LeaseCommand;
import holdfast.lock.ClientId;
import holdfast.lock.LockCommand;
import holdfast.lock.Outcome;
import holdfast.lock.Request;
import holdfast.lock.RequestId;
import holdfast.simulation.raft.SimulatedClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process that asks for locks: it has handles, perhaps a session, a clock of its own, and
 * stands still or dies as it happens.
 */
final class ClientProcess {

  private static final double DRIFT = 0.01;
  private static final int MAX_HANDLES = 2;

  private final ClusterLocks locks;
  private final String name;
  private final SplittableRandom chance;
  private final SimulatedClock clock;
  private final List<Handle> handles = new ArrayList<>();
  private final Deque<Runnable> missed = new ArrayDeque<>();
  private final ClientSession session;
  private final Map<RequestId, Integer> copies = new HashMap<>();
  private final Set<String> keys = new TreeSet<>();
  private @Nullable ClusterTenant speaksTo;
  private @Nullable LastRound round;
  private long requests;
  private boolean pauses;
  private boolean dead;

  ClientProcess(ClusterLocks locks, String name, SplittableRandom chance) {
    this.locks = locks;
    this.name = name;
    this.chance = chance;
    clock = new SimulatedClock(locks.world().scheduler());
    clock.rate(1 + chance.nextDouble(-DRIFT, DRIFT));
    session = new ClientSession(this);
    int count = 1 + chance.nextInt(MAX_HANDLES);
    for (int i = 0; i < count; i++) {
      handles.add(new Handle(this, "h" + i, session));
    }
  }

  void begin() {
    if (chance.nextInt(3) > 0) {
      session.begin();
    }
    handles.forEach(Handle::rest);
  }

  /** Something of this process happens later; if it stands still then, once it goes on. */
  void later(long delayUs, Object what, Runnable action) {
    locks.world().scheduler().after(delayUs, name + " " + what, () -> run(action));
  }

  private void run(Runnable action) {
    if (dead) {
      return;
    } else if (pauses) {
      missed.add(action);
    } else {
      action.run();
    }
  }

  /** The process is stopped for a while. */
  void pause(long forUs) {
    if (!pauses && !dead) {
      pauses = true;
      locks.world().scheduler().note(name + " stands still");
      locks.world().scheduler().after(forUs, name + " goes on", this::goOn);
    }
  }

  private void goOn() {
    pauses = false;
    while (!pauses && !dead && !missed.isEmpty()) {
      missed.remove().run();
    }
  }

  void die() {
    dead = true;
    missed.clear();
  }

  /** One of its handles begins to ask for this key. */
  void asksFor(String key) {
    keys.add(key);
  }

  /** It asks once more for each of its keys, now that all is well. */
  void askOnceMore() {
    LastRound made = new LastRound(this, session, keys);
    round = made;
    later(0, "asks once more for " + keys, made::begin);
  }

  /** Its last round, once it has one. */
  @Nullable LastRound round() {
    return round;
  }

  void closeSession() {
    session.close();
  }

  boolean isDead() {
    return dead;
  }

  // ------------------------------------------------------------------ what it asks for

  /** The node it speaks to; now and then another one. */
  private @Nullable ClusterTenant node() {
    ClusterTenant now = speaksTo;
    if (now == null || !now.isRunning() || chance.nextInt(5) == 0) {
      now = locks.anyTenant(chance);
      speaksTo = now;
    }
    return now;
  }

  private long wireUs() {
    return 100L
        + chance.nextInt(!locks.world().isCalm() && chance.nextInt(40) == 0 ? 300_000 : 900);
  }

  private boolean isLost() {
    return !locks.world().isCalm() && chance.nextInt(50) == 0;
  }

  private <A> Consumer<A> answering(Consumer<A> told) {
    return answer -> {
      if (!isLost()) {
        later(wireUs(), "is told " + answer, () -> told.accept(answer));
      }
    };
  }

  private void call(Object what, Consumer<ClusterTenant> action) {
    ClusterTenant to = node();
    if (to != null && !isLost()) {
      to.later(wireUs(), name + " asks " + what, () -> action.accept(to));
    }
  }

  /** Has a lock do something; a request in line is told its place and, later, its outcome. */
  void ask(String key, LockCommand command, long number, long lowestOpen, Consumer<Outcome> told) {
    long sentUs = locks.world().nowUs();
    Consumer<LockAnswer> answering =
        answering(
            answer -> {
              locks.tell(each -> each.told(key, command, answer.outcome()));
              locks.tell(each -> each.heard(key, command, answer, sentUs));
              told.accept(answer.outcome());
            });
    command.id().ifPresent(id -> copies.merge(id, 1, Integer::sum));
    call(
        command,
        at -> {
          if (command instanceof LockCommand.Acquire acquire) {
            locks.tell(each -> each.asked(acquire));
          }
          at.edge()
              .<LockAnswer>ask(
                  key,
                  replyTo ->
                      new LockMessage.Handle(
                          command, number, lowestOpen, /* tellsPlace= */ number > 0, replyTo),
                  () -> !dead,
                  answer -> {
                    answering.accept(answer);
                    return !(answer.outcome() instanceof Outcome.Waiting);
                  });
        });
  }

  /**
   * Whether this client has sent a request more than once: the refusal of one copy says nothing of
   * another, which may be on its way by another node.
   */
  boolean hasCopies(Request request) {
    return copies.getOrDefault(request.id(), 0) > 1;
  }

  /** Has a lease do something. */
  void ask(long lease, LeaseCommand command, Consumer<LeaseAnswer> told) {
    Consumer<LeaseAnswer> answering = answering(told);
    call(
        command,
        at ->
            at.edge()
                .<LeaseAnswer>ask(
                    SimulatedShards.nameOfLease(lease),
                    replyTo -> new LeaseMessage.Handle(command, 0, replyTo),
                    () -> !dead,
                    answer -> {
                      answering.accept(answer);
                      return true;
                    }));
  }

  void renew(Renewal renewal, Consumer<Renewal.Answer> told) {
    long sentUs = locks.world().nowUs();
    Consumer<Renewal.Answer> answering =
        answering(
            answer -> {
              locks.tell(each -> each.judged(renewal, answer, sentUs));
              told.accept(answer);
            });
    call(renewal, at -> at.shards().renew(renewal, answering));
  }

  /** Writes to the store behind the locks; the way there may be long, also for one that dies. */
  void write(String key, long token, Consumer<Boolean> told) {
    long delayUs = chance.nextInt(4) == 0 ? chance.nextInt(1_500_000) : wireUs();
    locks
        .world()
        .scheduler()
        .after(
            delayUs,
            name + " writes to " + key + " under " + token,
            () -> answering(told).accept(locks.write(key, token)));
  }

  // ------------------------------------------------------------------ what its parts need

  ClientId id() {
    return new ClientId(name);
  }

  /** A new request under a name. */
  Request named(long content) {
    return new Request(new RequestId.Named(id(), "r" + ++requests), content);
  }

  long nowMs() {
    return clock.nowMs();
  }

  ClusterLocks locks() {
    return locks;
  }

  SplittableRandom chance() {
    return chance;
  }

  List<Handle> handles() {
    return handles;
  }

  @Override
  public String toString() {
    return name;
  }

  /** What is left of a ttl after the margin for clocks that do not run alike. */
  static long surelyMs(long ttlMs) {
    return ttlMs - Math.max(50, ttlMs / 50);
  }
}
