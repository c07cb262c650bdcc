package io.holdfast.simulation.journal;

import io.holdfast.raft.LogControl;
import io.holdfast.raft.LogProgress;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.simulation.raft.SimulatedMember;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The log of one member, for an operator: it answers once a change is begun. */
final class MemberControl implements LogControl {

  private final SimulatedMember member;

  MemberControl(SimulatedMember member) {
    this.member = member;
  }

  /** True if these are the members by all that is committed, as far as this one knows. */
  static boolean isSettled(RaftCore core) {
    Configuration now = core.configuration();
    return !now.isNone() && !now.isJoint() && core.configurationIndex() <= core.commit();
  }

  @Override
  public CompletionStage<Optional<RaftRefusal>> changeMembers(UnaryOperator<List<Member>> how) {
    CompletableFuture<Optional<RaftRefusal>> answer = new CompletableFuture<>();
    member.input(core -> change(core, how, answer));
    return answer;
  }

  private static void change(
      RaftCore core,
      UnaryOperator<List<Member>> how,
      CompletableFuture<Optional<RaftRefusal>> answer) {
    if (!core.leadership().leads()) {
      answer.complete(Optional.of(RaftRefusal.NOT_LEADER));
      return;
    }
    List<Member> now = core.configuration().members();
    List<Member> target;
    try {
      target = how.apply(now);
    } catch (RuntimeException e) {
      answer.completeExceptionally(e); // the refusal of who asks
      return;
    }
    boolean isAsked = !target.equals(now) || !isSettled(core);
    answer.complete(isAsked ? core.changeMembers(target) : Optional.empty());
  }

  @Override
  public CompletionStage<LogProgress> progress() {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> CompletionStage<T> between(Function<Long, T> look) {
    throw new UnsupportedOperationException();
  }
}
