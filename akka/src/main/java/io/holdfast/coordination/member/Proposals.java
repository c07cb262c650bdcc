package io.holdfast.coordination.member;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationVerdict;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The proposals of this process that have no verdict yet. Safe for use by many threads.
 *
 * <p>A stage completes on the log's thread or on that of whoever proposes; empty if there is no
 * verdict: then the command was not applied, or nobody knows.
 */
final class Proposals {

  private final MemberLog log;
  private final CoordinationReplica replica;
  private final Map<Long, CompletableFuture<Optional<CoordinationVerdict>>> open = new HashMap<>();
  private long last;

  Proposals(MemberLog log, CoordinationReplica replica) {
    this.log = log;
    this.replica = replica;
  }

  CompletionStage<Optional<CoordinationVerdict>> propose(CoordinationCommand command) {
    CompletableFuture<Optional<CoordinationVerdict>> answer = new CompletableFuture<>();
    long number = begin(answer);
    var unused =
        log.propose(replica.entry(number, command))
            .thenAccept(outcome -> decided(number, Optional.empty()));
    return answer;
  }

  /** The command of this number was applied; told before the log says so. */
  void applied(long number, CoordinationVerdict verdict) {
    decided(number, Optional.of(verdict));
  }

  private synchronized long begin(CompletableFuture<Optional<CoordinationVerdict>> answer) {
    last++;
    open.put(last, answer);
    return last;
  }

  private void decided(long number, Optional<CoordinationVerdict> verdict) {
    CompletableFuture<Optional<CoordinationVerdict>> answer;
    synchronized (this) {
      answer = open.remove(number);
    }
    if (answer != null) {
      answer.complete(verdict);
    }
  }
}
