package io.holdfast.simulation.raft;

import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Message;
import io.holdfast.simulation.Violation;
import java.util.function.Supplier;

/** A member's disk knows what the member says: its term and vote, and the entries it accepts. */
final class PromisesAreDurable implements Invariant {

  @Override
  public void sent(SimulatedMember member, Message message) {
    LogImage disk = member.disk().durable();
    if (message instanceof Message.VoteResponse vote && vote.granted()) {
      require(disk.isFormed(), () -> member + " votes before it belongs to a cluster");
      HardState known = disk.hardState();
      boolean kept =
          vote.preVote()
              || known.term() > vote.term()
              || (known.term() == vote.term() && vote.to().equals(known.vote()));
      require(
          kept, () -> member + " votes in term " + vote.term() + " with " + known + " on its disk");
    } else if (message instanceof Message.AppendAccepted accepted) {
      // an acceptance of an earlier term may have been overwritten by the time it leaves
      require(
          disk.hardState().term() > accepted.term()
              || accepted.index() <= Math.max(disk.lastIndex(), member.snapshotIndex()),
          () -> member + " accepts up to " + accepted.index() + " with " + disk.lastIndex());
      require(
          disk.hardState().term() >= accepted.term(),
          () -> member + " accepts in term " + accepted.term() + " with " + disk.hardState());
    } else if (message instanceof Message.HeartbeatResponse answer) {
      require(
          disk.hardState().term() >= answer.term(),
          () -> member + " follows in term " + answer.term() + " with " + disk.hardState());
    } else if (message instanceof Message.VoteRequest request && !request.preVote()) {
      require(
          disk.hardState().term() >= request.term(),
          () -> member + " stands in term " + request.term() + " with " + disk.hardState());
    }
  }

  @Override
  public void elected(SimulatedMember member, long term) {
    HardState known = member.disk().durable().hardState();
    require(known.term() >= term, () -> member + " leads term " + term + " with " + known);
  }

  private static void require(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new Violation("PromisesAreDurable", what.get());
    }
  }
}
