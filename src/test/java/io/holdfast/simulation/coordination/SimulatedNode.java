package io.holdfast.simulation.coordination;

import io.holdfast.coordination.node.TokenCursor;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationRefusal;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.SessionValidity;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.id.ShardId;
import io.holdfast.simulation.coordination.SimulatedLog.Ownership;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One process of a node: it keeps its session, takes shards, and writes under them. */
final class SimulatedNode {

  private static final long RESEND_MS = 120;
  private static final long ANSWER_WITHIN_MS = 700;
  private static final ShardTerms TERMS = ShardTerms.of(CoordinationSimulation.SHARDS);
  private static final SessionTimes TIMES = SessionTimes.DEFAULT;

  private record Holding(Ownership ownership, TokenCursor cursor) {}

  private final SimulatedMachine machine;
  private final SimulatedClock clock;
  private final SplittableRandom random;
  private final CoordinationCommand.OpenSession opening;
  private final SessionValidity validity;
  private final Map<ShardId, Holding> holdings = new HashMap<>();
  private final Map<ShardId, Long> askedAt = new HashMap<>();
  private @Nullable SessionId session;
  private long attempt;
  private boolean isAnswered;
  private long sentAt;
  private long request;
  private FormationId joined = FormationId.NONE;
  private boolean isJoining;

  SimulatedNode(
      SimulatedMachine machine,
      SimulatedClock clock,
      NodeId id,
      long incarnation,
      SplittableRandom random) {
    this.machine = machine;
    this.clock = clock;
    this.random = random;
    opening =
        new CoordinationCommand.OpenSession(
            id,
            incarnation,
            "akka://n",
            incarnation,
            Set.of(NodeRole.SHARD_HOST),
            TIMES.ttlMs(),
            TERMS);
    validity = new SessionValidity(TIMES, clock.monotonicMs(), clock.wallMs());
    open();
  }

  @Nullable SessionId session() {
    return session;
  }

  private SessionId own() {
    return Objects.requireNonNull(session);
  }

  FormationId joined() {
    return joined;
  }

  boolean believes() {
    return validity.isValid(clock.monotonicMs(), clock.wallMs());
  }

  boolean believesInOwning(ShardId shard) {
    return holdings.containsKey(shard) && believes();
  }

  void tick() {
    long now = clock.monotonicMs();
    if (session == null) {
      if (now - sentAt >= RESEND_MS) {
        open();
      }
      return;
    }
    if (now >= validity.nextRenewalMs()) {
      attempt = validity.renew(now, clock.wallMs());
      renew();
    } else if (!isAnswered && now - sentAt >= RESEND_MS) {
      renew();
    }
    if (believes()) {
      act(ShardId.of(random.nextInt(CoordinationSimulation.SHARDS)), now);
    }
  }

  private void open() {
    sentAt = clock.monotonicMs();
    machine.send(
        opening,
        (verdict, index) -> {
          if (session == null && verdict instanceof CoordinationVerdict.Opened opened) {
            session = opened.session().id();
            acknowledge(0);
          } else if (session == null) {
            machine.restart();
          }
        });
  }

  private void renew() {
    sentAt = clock.monotonicMs();
    isAnswered = false;
    long number = attempt;
    machine.send(
        new CoordinationCommand.RenewSession(own(), number),
        (verdict, index) -> {
          if (verdict instanceof CoordinationVerdict.Renewed) {
            acknowledge(number);
          } else if (isGone(verdict)) {
            machine.restart();
          }
        });
  }

  private void acknowledge(long number) {
    isAnswered |= number == attempt;
    validity.acknowledged(number);
  }

  private static boolean isGone(CoordinationVerdict verdict) {
    return verdict instanceof CoordinationVerdict.Refused refused
        && refused.reason() == CoordinationRefusal.NO_SUCH_SESSION;
  }

  private void act(ShardId shard, long now) {
    Holding held = holdings.get(shard);
    boolean isAsking = now - askedAt.getOrDefault(shard, Long.MIN_VALUE / 2) < ANSWER_WITHIN_MS;
    int chance = random.nextInt(100);
    boolean leaves = !machine.isCalm() && random.nextInt(500) == 0;
    if (joined.equals(FormationId.NONE) && !isJoining) {
      join();
    } else if (leaves) {
      close();
    } else if (held != null && chance < 70) {
      write(held);
    } else if (held != null && chance < 75) {
      release(shard, held);
    } else if (!isAsking && (held == null || chance < 80)) {
      acquire(shard, now);
    }
  }

  private void write(Holding held) {
    Ownership under = held.ownership();
    OptionalLong token = held.cursor().next(under.epoch());
    token.ifPresent(value -> machine.append(under, value));
    if (held.cursor().asksForMore()) {
      machine.send(
          new CoordinationCommand.TakeTokenBlock(own(), under.shard(), under.epoch()),
          (verdict, index) -> {
            if (verdict instanceof CoordinationVerdict.BlockTaken taken) {
              held.cursor().add(taken.epoch(), taken.block());
            }
          });
    }
  }

  private void release(ShardId shard, Holding held) {
    holdings.remove(shard);
    machine.send(
        new CoordinationCommand.ReleaseShard(own(), shard, held.ownership().epoch()),
        (verdict, index) -> {});
    write(held); // an actor that has not heard of it yet
  }

  private void acquire(ShardId shard, long now) {
    request++;
    askedAt.put(shard, now);
    long asked = request;
    machine.send(
        new CoordinationCommand.AcquireShard(own(), shard, asked, TERMS),
        (verdict, index) -> {
          if (asked == request && verdict instanceof CoordinationVerdict.Acquired acquired) {
            Ownership ownership = new Ownership(shard, acquired.epoch(), index);
            TokenCursor cursor =
                new TokenCursor(acquired.epoch(), acquired.block(), Long.MAX_VALUE);
            Holding before = holdings.put(shard, new Holding(ownership, cursor));
            askedAt.remove(shard);
            if (before != null) {
              write(before); // an actor that has not heard of it yet
            }
          }
        });
  }

  private void close() {
    holdings.clear();
    machine.send(new CoordinationCommand.CloseSession(own()), (verdict, index) -> {});
    machine.restart();
  }

  private void join() {
    isJoining = true;
    machine
        .knownFormation()
        .ifPresentOrElse(
            formation ->
                machine.after(
                    random.nextLong(1_000_000),
                    () -> {
                      joined = formation;
                      machine.insist(
                          new CoordinationCommand.MarkJoined(own(), formation),
                          (verdict, index) -> {
                            if (verdict instanceof CoordinationVerdict.Refused) {
                              machine.restart();
                            }
                          });
                    }),
            () ->
                machine.insist(
                    new CoordinationCommand.FormCluster(
                        own(), machine.replica().state().joinings()),
                    (verdict, index) -> {
                      isJoining = false;
                      if (verdict instanceof CoordinationVerdict.Joined formed) {
                        joined = formed.formation();
                      }
                    }));
  }

  @Override
  public String toString() {
    return opening.member() + "." + opening.incarnation() + " " + session;
  }
}
