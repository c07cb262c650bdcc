package io.holdfast.raft.core;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends a leader's log, its commit index and its snapshot to all other members.
 *
 * <p>The leader's own {@code match} rises only when its own disk has the entries, in parallel with
 * the followers' disks.
 */
final class Replication {

  private final MemberState state;
  private final Map<MemberId, Progress> followers = new TreeMap<>();
  private final Map<MemberId, SnapshotSending> transfers = new TreeMap<>();
  private final Map<MemberId, Long> keptByWitness = new TreeMap<>();
  private long ownMatch;

  Replication(MemberState state) {
    this.state = state;
  }

  /** Follows the configuration in force: adds new members, and removes those that left. */
  void configurationChanged() {
    Set<MemberId> everyone = state.configuration().everyone();
    followers.keySet().retainAll(everyone);
    transfers.keySet().retainAll(everyone);
    for (MemberId id : everyone) {
      if (!id.equals(state.self) && !followers.containsKey(id)) {
        long next = state.log.lastIndex() + 1;
        followers.put(
            id, new Progress(id, next, state.settings.maxInflightAppends(), state.nowMs()));
      }
    }
  }

  /**
   * Sends all members what is new for them. One message carries entries, commit index and round. A
   * silent member gets a heartbeat besides entries: it answers the heartbeat at once, and entries
   * when its disk has them.
   */
  void flush(long round) {
    long silentSince = state.nowMs() - state.settings.heartbeatMs();
    for (Progress follower : followers.values()) {
      boolean roundIsNews = round > follower.roundSent();
      boolean appended = append(follower, round);
      long commit = commitFor(follower);
      boolean commitIsNews =
          follower.mode() == Progress.Mode.REPLICATE && commit > follower.commitSent();
      boolean owesSign = roundIsNews && !follower.heardSince(silentSince);
      if (owesSign || (!appended && (commitIsNews || roundIsNews))) {
        follower.commitSent(Math.max(commit, follower.commitSent()));
        follower.roundSent(round);
        beat(follower, roundIsNews ? round : 0);
      }
    }
  }

  private void beat(Progress follower, long round) {
    state.out.now(
        new Message.Heartbeat(state.self, follower.id(), state.term(), commitFor(follower), round));
  }

  private long commitFor(Progress follower) {
    return Math.min(follower.match(), state.log.commit());
  }

  private boolean append(Progress follower, long round) {
    RaftLog log = state.log;
    boolean any = false;
    while (follower.mayAppend()) {
      long next = follower.next();
      boolean nothingNew = next > log.lastIndex();
      if (nothingNew && follower.mode() == Progress.Mode.REPLICATE) {
        break;
      }
      if (!log.covers(next - 1)) {
        transfer(follower);
        break;
      }
      List<Entry> entries =
          nothingNew
              ? List.of()
              : log.entries(next, log.lastIndex(), state.settings.maxAppendBytes());
      Message.AppendRequest request =
          new Message.AppendRequest(
              state.self,
              follower.id(),
              state.term(),
              next - 1,
              log.term(next - 1),
              entries,
              log.commit(),
              round);
      state.out.now(request);
      follower.sent(request.lastIndex(), log.commit(), state.nowMs());
      follower.roundSent(round);
      any = true;
    }
    return any;
  }

  /** Says whether the follower's acceptance may have moved the commit index. */
  boolean accepted(Progress follower, long index) {
    boolean news = follower.accepted(index, state.nowMs());
    boolean canGoOn =
        switch (follower.mode()) {
          case PROBE -> true;
          case SNAPSHOT -> state.log.covers(follower.match());
          case REPLICATE -> false;
        };
    if (canGoOn) {
      transfers.remove(follower.id());
      follower.replicate();
    }
    return news;
  }

  /* A follower that refuses what it had confirmed has lost it, or the answer is an old one. The
  follower knows which, once it is told how far it should be. */
  void rejected(Progress follower, Message.AppendRejected answer) {
    if (answer.rejected() <= follower.match()) {
      beat(follower, 0);
    }
    follower.rejected(answer.rejected(), meetingPoint(answer));
  }

  /* The leader skips to its own last entry of the follower's conflicting term, or, if it has none,
  to before the follower's first: whole terms go by in one exchange. */
  private long meetingPoint(Message.AppendRejected answer) {
    RaftLog log = state.log;
    if (answer.conflictTerm() == 0 || !log.covers(answer.rejected())) {
      return answer.conflictIndex() + (answer.conflictTerm() == 0 ? 1 : 0);
    }
    long last = log.lastIndexWithTermAtMost(answer.conflictTerm(), answer.rejected());
    return last > 0 && log.term(last) == answer.conflictTerm() ? last + 1 : answer.conflictIndex();
  }

  /** Says whether the follower now has all that the snapshot stands for. */
  boolean wanted(Progress follower, Message.SnapshotWanted answer) {
    SnapshotSending transfer = transfers.get(follower.id());
    if (transfer == null || !transfer.wanted(answer)) {
      return false;
    }
    transfers.remove(follower.id());
    keptByWitness.put(follower.id(), answer.snapshotIndex());
    boolean news = follower.accepted(answer.snapshotIndex(), state.nowMs());
    if (follower.mode() == Progress.Mode.SNAPSHOT) {
      follower.replicate();
    }
    return news;
  }

  /** Repeats what seems lost, and offers witnesses the snapshot by which they compact. */
  void repeatLost() {
    long afterMs = 2L * state.settings.heartbeatMs();
    followers.values().forEach(follower -> follower.repeatLost(state.nowMs(), afterMs));
    transfers.values().forEach(SnapshotSending::repeatLost);
    SnapshotMeta newest = state.log.snapshot();
    if (newest != null) {
      followers.values().forEach(follower -> offer(follower, newest));
    }
  }

  private void offer(Progress follower, SnapshotMeta newest) {
    if (state.configuration().isWitness(follower.id())
        && follower.mode() == Progress.Mode.REPLICATE
        && !transfers.containsKey(follower.id())
        && keptByWitness.getOrDefault(follower.id(), 0L) < newest.index()) {
      transfers.put(follower.id(), new SnapshotSending(state, follower.id(), newest));
    }
  }

  private void transfer(Progress follower) {
    SnapshotMeta newest = state.log.snapshot();
    if (newest == null) {
      throw new IllegalStateException("the log is compacted without a snapshot");
    }
    follower.snapshot();
    transfers.put(follower.id(), new SnapshotSending(state, follower.id(), newest));
  }

  void durable(long index) {
    ownMatch = Math.max(ownMatch, index);
  }

  /** The index up to which a member's disk is known to equal this leader's log. */
  long match(MemberId id) {
    if (id.equals(state.self)) {
      return ownMatch;
    }
    Progress follower = followers.get(id);
    return follower == null ? 0 : follower.match();
  }

  @Nullable Progress follower(MemberId id) {
    return followers.get(id);
  }
}
