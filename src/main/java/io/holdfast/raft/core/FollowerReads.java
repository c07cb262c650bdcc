package io.holdfast.raft.core;

import java.util.ArrayList;
import java.util.List;

/**
 * The reads of a member that does not lead: each batch asks the leader for an index and waits until
 * this member has it.
 *
 * <p>Batches are numbered over restarts, so an answer to a read of an earlier life is never taken
 * for an answer to this one.
 */
final class FollowerReads {

  private record Batch(long number, List<Long> ids) {}

  private final MemberState state;
  private List<Long> waiting = new ArrayList<>();
  private Batch asked = new Batch(0, List.of());
  private final GrantedReads granted;
  private long nextNumber;
  private long askedMs;

  FollowerReads(MemberState state, GrantedReads granted, long firstNumber) {
    this.state = state;
    this.granted = granted;
    nextNumber = firstNumber;
  }

  void read(long id) {
    waiting.add(id);
  }

  /** Asks for the next batch when the one before is answered. */
  void flush() {
    MemberId leader = state.leader();
    if (leader != null && asked.ids.isEmpty() && !waiting.isEmpty()) {
      asked = new Batch(nextNumber++, waiting);
      waiting = new ArrayList<>();
      ask(leader);
    }
  }

  /** Asks again for a batch that has been open for long; reading twice does no harm. */
  void repeatLost() {
    MemberId leader = state.leader();
    if (leader != null && isAsking() && state.nowMs() >= repeatAtMs()) {
      ask(leader);
    }
  }

  void answered(Message.ReadResponse answer) {
    if (answer.batch() == asked.number && isAsking()) {
      granted.grant(answer.index(), asked.ids);
      asked = new Batch(0, List.of());
    }
  }

  void leaderLost() {
    refuse(waiting);
    refuse(asked.ids);
    waiting = new ArrayList<>();
    asked = new Batch(0, List.of());
  }

  boolean isAsking() {
    return !asked.ids.isEmpty();
  }

  long repeatAtMs() {
    return askedMs + state.settings.heartbeatMs();
  }

  int count() {
    return waiting.size() + asked.ids.size();
  }

  private void ask(MemberId leader) {
    askedMs = state.nowMs();
    state.out.now(new Message.ReadRequest(state.self, leader, state.term(), asked.number));
  }

  private void refuse(List<Long> ids) {
    ids.forEach(id -> state.out.read(ReadOutcome.refused(id, RaftRefusal.LEADER_CHANGED)));
  }
}
