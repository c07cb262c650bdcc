package io.holdfast.raft.node;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** The unanswered requests of operators to this member as the leader. */
final class LeaderRequests {

  private interface Settled {
    /** True if the request has come to its end, which completes it. */
    boolean check(long nowMs);
  }

  private record Open(CompletableFuture<Optional<RaftRefusal>> answer, Settled settled) {}

  private final RaftCore core;
  private final List<Open> open = new ArrayList<>();

  LeaderRequests(RaftCore core) {
    this.core = core;
  }

  void changeMembers(
      UnaryOperator<List<Member>> how,
      long nowMs,
      CompletableFuture<Optional<RaftRefusal>> answer) {
    settle(nowMs); // the next change hides that the one before was settled
    if (!core.leadership().leads()) {
      answer.complete(Optional.of(RaftRefusal.NOT_LEADER));
      return;
    }
    List<Member> target;
    try {
      target = how.apply(core.configuration().members());
    } catch (RuntimeException e) {
      answer.completeExceptionally(e); // the caller's own rules have refused
      return;
    }
    if (isSettled(target)) {
      answer.complete(Optional.empty());
      return;
    }
    Optional<RaftRefusal> refusal = core.changeMembers(target);
    if (refusal.isPresent()) {
      answer.complete(refusal);
      return;
    }
    long term = core.leadership().term();
    await(
        answer,
        atMs -> {
          if (isSettled(target)) {
            answer.complete(Optional.empty());
          } else if (core.leadership().term() != term || !core.leadership().leads()) {
            answer.completeExceptionally(
                new IllegalStateException(
                    "the leader changed before the change of members was settled"));
          }
          return answer.isDone();
        });
  }

  private boolean isSettled(List<Member> target) {
    Configuration now = core.configuration();
    return !now.isJoint()
        && core.configurationIndex() <= core.commit()
        && Set.copyOf(now.members()).equals(Set.copyOf(target));
  }

  void transferLeadership(
      MemberId successor, long untilMs, CompletableFuture<Optional<RaftRefusal>> answer) {
    Optional<RaftRefusal> refusal = core.transferLeadership(successor);
    if (refusal.isPresent()) {
      answer.complete(refusal);
      return;
    }
    await(
        answer,
        nowMs -> {
          if (!core.leadership().leads()) {
            answer.complete(Optional.empty());
          } else if (nowMs >= untilMs) {
            answer.complete(Optional.of(RaftRefusal.NOT_TAKEN_OVER));
          }
          return answer.isDone();
        });
  }

  /** Answers the requests that are settled, one way or the other. */
  void settle(long nowMs) {
    if (!open.isEmpty()) {
      open.removeIf(each -> each.settled.check(nowMs));
    }
  }

  /** Answers the rest: this member stops. */
  void abandon() {
    open.forEach(
        each ->
            each.answer.completeExceptionally(
                new IllegalStateException("this member stopped before it was settled")));
    open.clear();
  }

  private void await(CompletableFuture<Optional<RaftRefusal>> answer, Settled settled) {
    open.add(new Open(answer, settled));
  }
}
