package io.holdfast.raft.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of heartbeats that prove that a leader still led when a read arrived.
 *
 * <p>Reads that arrive while a round is on its way wait together for the next one. A round that a
 * quorum answers proves that no other leader had been elected when it began; so the commit index of
 * that moment covers everything acknowledged before. The leader must first have committed an entry
 * of its own term, or it may not know all that is committed.
 *
 * <p>With lease reads, a round also begins a leader lease: its voters stick to the leader for an
 * election timeout after they heard of it, which is after the round began. A hand-over ends the
 * lease for the rest of the term.
 */
final class ReadRounds {

  private record Read(@Nullable MemberId asker, long id) {}

  private record Round(long number, long startedMs, long index, List<Read> reads) {}

  private final MemberState state;
  private final GrantedReads granted;
  private final Deque<Round> open = new ArrayDeque<>();
  private List<Read> waiting = new ArrayList<>();
  private int readsInRounds;
  private long current;
  private long leaseUntilMs;
  private boolean leaseEnded;

  ReadRounds(MemberState state, GrantedReads granted) {
    this.state = state;
    this.granted = granted;
  }

  /** A read of this member, or with an {@code asker} a batch of another's. */
  void read(@Nullable MemberId asker, long id) {
    waiting.add(new Read(asker, id));
  }

  /** Begins a round, or answers at once, if reads wait and may go on. */
  void flush() {
    if (waiting.isEmpty() || !hasCommittedInTerm()) {
      return;
    }
    if (hasLease()) {
      answer(takeWaiting(), state.log.commit());
    } else if (readsInRounds == 0) {
      begin();
    }
  }

  /** Begins a round, with or without reads. */
  void begin() {
    List<Read> reads = hasCommittedInTerm() ? takeWaiting() : List.of();
    readsInRounds += reads.size();
    current++;
    open.add(new Round(current, state.nowMs(), state.log.commit(), reads));
  }

  /** A quorum has answered round {@code number}. */
  void reached(long number) {
    while (!open.isEmpty() && open.peek().number <= number) {
      Round round = open.remove();
      readsInRounds -= round.reads.size();
      leaseUntilMs = Math.max(leaseUntilMs, round.startedMs + state.settings.leaseMs());
      answer(round.reads, round.index);
    }
  }

  /** True if a round awaits its quorum. */
  boolean isOpen() {
    return !open.isEmpty();
  }

  /** No lease from here on: another member may be elected. */
  void endLease() {
    leaseEnded = true;
  }

  void leaderLost() {
    waiting.forEach(this::refuse);
    open.forEach(round -> round.reads.forEach(this::refuse));
  }

  long current() {
    return current;
  }

  int count() {
    return waiting.size() + readsInRounds;
  }

  private boolean hasCommittedInTerm() {
    return state.log.term(state.log.commit()) == state.term();
  }

  private boolean hasLease() {
    return state.settings.leaseReads() && !leaseEnded && state.nowMs() < leaseUntilMs;
  }

  private List<Read> takeWaiting() {
    List<Read> taken = waiting;
    waiting = new ArrayList<>();
    return taken;
  }

  private void answer(List<Read> reads, long index) {
    List<Long> own = new ArrayList<>();
    for (Read read : reads) {
      if (read.asker == null) {
        own.add(read.id);
      } else {
        state.out.now(
            new Message.ReadResponse(state.self, read.asker, state.term(), read.id, index));
      }
    }
    if (!own.isEmpty()) {
      granted.grant(index, own);
    }
  }

  private void refuse(Read read) {
    if (read.asker == null) {
      state.out.read(ReadOutcome.refused(read.id, RaftRefusal.LEADER_CHANGED));
    }
  }
}
