package io.holdfast.simulation.journal;

import io.holdfast.coordination.AdminRefused;
import io.holdfast.coordination.Administration;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.Session;
import io.holdfast.id.ShardId;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.simulation.raft.SimulatedMember;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operator who changes the members while they serve, one change after the other, by the real
 * administration: one more, one fewer, or another one for a lost directory.
 *
 * <p>A change that was begun is asked for until it is done: what a leader has begun may come into
 * force much later.
 */
final class MemberOperator {

  private static final int LOOK_EVERY_US = 60_000;
  private static final int MAX_MEMBERS = 5;

  /** Ids of seats that nobody has taken yet. */
  private static final int SEATS = 1_000;

  private record Step(
      Predicate<Configuration> isDone,
      Function<NodeProcess, CompletionStage<?>> ask,
      Runnable andThen) {}

  private final JournalWorld world;
  private final JournalTrouble trouble;
  private final SplittableRandom chance;
  private final Deque<Step> steps = new ArrayDeque<>();
  private @Nullable SimulatedMember out;
  private boolean stopsFirst;
  private long lastId;
  private boolean ends;

  MemberOperator(JournalWorld world, JournalTrouble trouble, SplittableRandom chance) {
    this.world = world;
    this.trouble = trouble;
    this.chance = chance;
    lastId = world.raft().members().size();
    later(LOOK_EVERY_US, this::look);
  }

  /** Begins nothing new. */
  void end() {
    ends = true;
  }

  /** True if a change is open, or a member that was removed still runs. */
  boolean isBusy() {
    return !steps.isEmpty() || out != null;
  }

  /** True if the process was stopped for good: nobody starts it again. */
  boolean isStopped(SimulatedMember member) {
    return member.isLost() || (member == out && stopsFirst);
  }

  private void later(long delayUs, Runnable action) {
    world.scheduler().after(delayUs, "operator of members", action);
  }

  private void look() {
    SimulatedMember leader = world.raft().leader();
    RaftCore core = leader == null ? null : leader.core();
    if (leader != null && core != null && !leader.isFrozen()) {
      if (!steps.isEmpty()) {
        goOn(leader, core);
      } else if (!ends && out == null && MemberControl.isSettled(core) && chance.nextInt(3) == 0) {
        begin(core);
      }
    }
    if (!ends || isBusy()) {
      later(1 + chance.nextInt(2 * LOOK_EVERY_US), this::look);
    }
  }

  private void goOn(SimulatedMember leader, RaftCore core) {
    Step step = steps.element();
    NodeProcess process = world.processOf(leader);
    if (MemberControl.isSettled(core) && step.isDone.test(core.configuration())) {
      steps.remove();
      step.andThen.run();
    } else if (process != null) {
      var unused = step.ask.apply(process).whenComplete((done, failure) -> count(failure));
    }
  }

  private void count(@Nullable Throwable failure) {
    Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
    if (cause instanceof AdminRefused refused) {
      world.tally().count("change of members refused " + refused.reason());
    } else if (cause != null) {
      world.guard(
          () -> {
            throw new IllegalStateException(cause);
          });
    } else {
      world.tally().count("change of members asked for");
    }
  }

  // ------------------------------------------------------------------ what it begins

  private void begin(RaftCore core) {
    List<Member> rows = core.configuration().members();
    long voters = rows.stream().filter(Member::votes).count();
    int kind = chance.nextInt(3);
    if (kind == 0 && rows.size() < MAX_MEMBERS) {
      addOne();
    } else if (kind == 1 && voters >= 2) {
      removeOne(anyOf(rows), voters);
    } else if (kind == 2 && voters >= 3) {
      Member row = rows.get(chance.nextInt(rows.size()));
      SimulatedMember lost = world.raft().member(row.id());
      if (lost != null && allHave(rows, core.configurationIndex())) {
        replace(lost, row.address());
      }
    }
  }

  private void addOne() {
    MemberId id = new MemberId(++lastId);
    String address = "host:" + id.value();
    note("adds a member at " + address);
    steps.add(
        new Step(
            now -> now.members().stream().anyMatch(row -> row.address().equals(address)),
            process -> administration(process, SEATS + id.value()).add(address),
            () -> trouble.comes(id)));
    steps.add(enrolment(id, address));
    steps.add(promotion(id));
  }

  private void removeOne(MemberId id, long voters) {
    SimulatedMember member = world.raft().member(id);
    if (member == null) {
      return;
    }
    out = member;
    stopsFirst = voters >= 3 && chance.nextBoolean();
    note("removes " + member + (stopsFirst ? ", which it stops first" : ""));
    if (stopsFirst) {
      trouble.leave(member);
    }
    steps.add(removal(id, () -> later(chance.nextInt(2_500_000), () -> isOut(member))));
  }

  private void isOut(SimulatedMember member) {
    trouble.goes(member);
    out = null;
    world.tally().count("member removed");
  }

  private void replace(SimulatedMember lost, String address) {
    MemberId id = new MemberId(++lastId);
    note(lost + " loses its directory");
    trouble.loses(lost);
    later(chance.nextInt(500_000), () -> trouble.comes(id));
    steps.add(enrolment(id, address));
    steps.add(
        removal(
            lost.id(),
            () -> {
              trouble.goes(lost);
              world.tally().count("member replaced");
            }));
    steps.add(promotion(id));
  }

  /** Mostly one that owns something. */
  private MemberId anyOf(List<Member> rows) {
    CoordinationState state = world.chronicle().coordination();
    List<MemberId> some = new ArrayList<>();
    rows.stream().filter(Member::votes).forEach(row -> some.add(row.id()));
    List<MemberId> owners = new ArrayList<>();
    for (ShardId shard : JournalWorld.ALL_SHARDS) {
      state
          .owner(shard)
          .flatMap(state::session)
          .map(Session::member)
          .map(node -> new MemberId(node.value()))
          .filter(some::contains)
          .ifPresent(owners::add);
    }
    List<MemberId> from = owners.isEmpty() || chance.nextInt(3) == 0 ? some : owners;
    return from.get(chance.nextInt(from.size()));
  }

  /* Then no other configuration can come into force: one directory may be lost, and no more. */
  private boolean allHave(List<Member> rows, long index) {
    for (Member row : rows) {
      SimulatedMember member = world.raft().member(row.id());
      RaftCore core = member == null ? null : member.core();
      if (core == null || core.configurationIndex() != index) {
        return false;
      }
    }
    return true;
  }

  // ------------------------------------------------------------------ its steps

  /** As a member answers somebody who comes to an address of the cluster with nothing. */
  private Step enrolment(MemberId id, String address) {
    return new Step(
        now -> now.contains(id),
        process ->
            process
                .control()
                .changeMembers(
                    members -> {
                      List<Member> target = new ArrayList<>(members);
                      if (members.stream().noneMatch(row -> row.id().equals(id))) {
                        target.removeIf(row -> row.address().equals(address) && !row.votes());
                        target.add(Member.learner(id, address));
                      }
                      return target;
                    }),
        () -> world.tally().count("member comes"));
  }

  private Step promotion(MemberId id) {
    return new Step(
        now -> now.voters().stream().anyMatch(row -> row.id().equals(id)),
        process -> administration(process, 0).promote(id.value()),
        () -> world.tally().count("member promoted"));
  }

  private Step removal(MemberId id, Runnable andThen) {
    return new Step(
        now -> !now.contains(id),
        process -> administration(process, 0).remove(id.value()),
        andThen);
  }

  private static Administration administration(NodeProcess process, long seat) {
    return process.administration(() -> seat);
  }

  private void note(String what) {
    world.scheduler().note("the operator: " + what);
  }
}
