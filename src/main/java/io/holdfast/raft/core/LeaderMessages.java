package io.holdfast.raft.core;

/**
 * Handles the messages of a leader, at a follower.
 *
 * <p>Log matching: entries are taken only after a predecessor that equals the leader's, and an
 * entry that differs takes everything after it with it.
 */
final class LeaderMessages {

  private final MemberState state;
  private final ElectionTimer timer;
  private final Roles roles;
  private final SnapshotReceiving snapshots;

  LeaderMessages(MemberState state, ElectionTimer timer, Roles roles, SnapshotReceiving snapshots) {
    this.state = state;
    this.timer = timer;
    this.roles = roles;
    this.snapshots = snapshots;
  }

  void append(Message.AppendRequest request) {
    hear(request);
    RaftLog log = state.log;
    if (request.previousIndex() < log.commit()) {
      accept(request, log.commit()); // the committed part equals the leader's in any case
      return;
    }
    if (!log.matches(request.previousIndex(), request.previousTerm())) {
      reject(request);
      return;
    }
    for (Entry entry : request.entries()) {
      if (!log.matches(entry.index(), entry.term())) {
        log.append(entry);
      }
    }
    log.commitTo(Math.min(request.commit(), request.lastIndex()));
    accept(request, request.lastIndex());
  }

  /* The leader names no commit index beyond what this member confirmed to it, in this term, in which
  nobody may have overwritten that. */
  void heartbeat(Message.Heartbeat beat) {
    hear(beat);
    if (beat.commit() > state.log.lastIndex()) {
      throw new EntriesLost(state.log.lastIndex(), beat.commit());
    }
    state.log.commitTo(beat.commit());
    if (beat.round() > 0) {
      answer(new Message.HeartbeatResponse(state.self, beat.from(), state.term(), beat.round()));
    }
  }

  /* The answer says only that this member is in the leader's term. If the disk knows that already, a
  sync of entries that is under way is nothing to wait for: it may take long. */
  private void answer(Message.HeartbeatResponse response) {
    if (state.isTermDurable()) {
      state.out.now(response);
    } else {
      state.out.whenDurable(response);
    }
  }

  void chunk(Message.SnapshotChunk chunk) {
    hear(chunk);
    snapshots.received(chunk);
  }

  private void hear(Message message) {
    roles.follow(message.term(), message.from());
    timer.leaderHeard();
  }

  private void accept(Message.AppendRequest request, long index) {
    state.out.whenDurable(
        new Message.AppendAccepted(
            state.self, request.from(), state.term(), index, request.round()));
  }

  private void reject(Message.AppendRequest request) {
    RaftLog log = state.log;
    long at = request.previousIndex();
    long conflictTerm = 0;
    long conflictIndex = log.lastIndex();
    if (at <= log.lastIndex()) {
      conflictTerm = log.term(at);
      conflictIndex = log.firstIndexOfTerm(conflictTerm, at);
    }
    state.out.whenDurable(
        new Message.AppendRejected(
            state.self,
            request.from(),
            state.term(),
            at,
            conflictTerm,
            conflictIndex,
            request.round()));
  }
}
