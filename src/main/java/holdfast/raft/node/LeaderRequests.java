package holdfast.raft.node;

import holdfast.raft.core.Configuration;
import holdfast.raft.core.Member;
import holdfast.raft.core.MemberId;
import holdfast.raft.core.RaftCore;
import holdfast.raft.core.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What an operator asked of this member as the leader, and waits for. */
final class LeaderRequests {

  private interface Settled {
    /** Whether the request has come to its end; completes it if so. */
    boolean check(long nowMs);
  }

  private record Open(CompletableFuture<Optional<Refusal>> answer, Settled settled) {}

  private final RaftCore core;
  private final List<Open> open = new ArrayList<>();

  LeaderRequests(RaftCore core) {
    this.core = core;
  }

  void changeMembers(List<Member> target, long nowMs, CompletableFuture<Optional<Refusal>> answer) {
    settle(nowMs); // the next change hides that the one before was settled
    Optional<Refusal> refusal = core.changeMembers(target);
    if (refusal.isPresent()) {
      answer.complete(refusal);
      return;
    }
    Configuration wanted = Configuration.of(target);
    long term = core.leadership().term();
    await(
        answer,
        atMs -> {
          boolean settled =
              core.configuration().equals(wanted) && core.configurationIndex() <= core.commit();
          if (settled) {
            answer.complete(Optional.empty());
          } else if (core.leadership().term() != term || !core.leadership().leads()) {
            answer.completeExceptionally(
                new IllegalStateException(
                    "the leader changed before the change of members was settled"));
          }
          return answer.isDone();
        });
  }

  void handOver(MemberId successor, long untilMs, CompletableFuture<Optional<Refusal>> answer) {
    Optional<Refusal> refusal = core.handOver(successor);
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
            answer.complete(Optional.of(Refusal.NOT_TAKEN_OVER));
          }
          return answer.isDone();
        });
  }

  /** Answers those whose wish has been settled, one way or the other. */
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

  private void await(CompletableFuture<Optional<Refusal>> answer, Settled settled) {
    open.add(new Open(answer, settled));
  }
}
