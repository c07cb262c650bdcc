package io.holdfast.raft.core;

import io.holdfast.bytes.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proposals that this member sends on to the leader it follows.
 *
 * <p>A forwarded proposal is meant for the leader of one term and is sent once. If that leader, its
 * term or the connection is lost before the answer, its outcome is unknown: sending it again could
 * apply it twice.
 */
final class Forwarding {

  private record Sent(long number, List<Long> ids, long sentMs, MemberId to) {}

  private final MemberState state;
  private final OpenProposals proposals;
  private final Deque<Sent> unanswered = new ArrayDeque<>();
  private List<Long> waitingIds = new ArrayList<>();
  private List<Bytes> waiting = new ArrayList<>();
  private long nextNumber;
  private int unansweredCount;

  Forwarding(MemberState state, OpenProposals proposals, long firstNumber) {
    this.state = state;
    this.proposals = proposals;
    nextNumber = firstNumber;
  }

  void propose(long id, byte[] payload) {
    waitingIds.add(id);
    waiting.add(Bytes.of(payload));
  }

  /** Sends what was proposed since the last time as one message. */
  void flush() {
    if (waiting.isEmpty()) {
      return;
    }
    MemberId leader = state.leader();
    if (leader == null) {
      refuseWaiting();
      return;
    }
    long number = nextNumber++;
    state.out.now(new Message.Forward(state.self, leader, state.term(), number, waiting));
    unanswered.add(new Sent(number, waitingIds, state.nowMs(), leader));
    unansweredCount += waitingIds.size();
    waiting = new ArrayList<>();
    waitingIds = new ArrayList<>();
  }

  void answered(Message.Forwarded answer) {
    Sent sent = take(answer.number());
    if (sent == null) {
      return;
    }
    for (int i = 0; i < sent.ids.size(); i++) {
      if (i < answer.accepted()) {
        proposals.placed(sent.ids.get(i), answer.index() + i, answer.term());
      } else {
        state.out.outcome(ProposalOutcome.refused(sent.ids.get(i), RaftRefusal.QUEUE_FULL));
      }
    }
  }

  void leaderLost() {
    refuseWaiting();
    while (!unanswered.isEmpty()) {
      abandon(unanswered.remove());
    }
  }

  void connectionLost(MemberId peer) {
    unanswered.stream().filter(sent -> sent.to.equals(peer)).forEach(this::abandon);
    unanswered.removeIf(sent -> sent.to.equals(peer));
  }

  /** Gives up what was sent before {@code ms}. */
  void giveUpBefore(long ms) {
    while (!unanswered.isEmpty() && unanswered.peek().sentMs < ms) {
      abandon(unanswered.remove());
    }
  }

  boolean isUnanswered() {
    return !unanswered.isEmpty();
  }

  int count() {
    return waitingIds.size() + unansweredCount;
  }

  private void refuseWaiting() {
    waitingIds.forEach(
        id -> state.out.outcome(ProposalOutcome.refused(id, RaftRefusal.LEADER_CHANGED)));
    waitingIds = new ArrayList<>();
    waiting = new ArrayList<>();
  }

  private void abandon(Sent sent) {
    unansweredCount -= sent.ids.size();
    sent.ids.forEach(id -> state.out.outcome(ProposalOutcome.unknown(id)));
  }

  private @Nullable Sent take(long number) {
    for (Sent sent : unanswered) {
      if (sent.number == number) {
        unanswered.remove(sent);
        unansweredCount -= sent.ids.size();
        return sent;
      }
    }
    return null;
  }
}
