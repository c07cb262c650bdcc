package io.holdfast.raft.core;

import io.holdfast.bytes.Bytes;
import java.util.List;

/**
 * A message from one member of a group to another.
 *
 * <p>Every message carries the term of its sender, except a {@link VoteRequest} and a granted
 * {@link VoteResponse} of a pre-vote, which carry the term of the election to come. Messages may be
 * lost, repeated, delayed and reordered without harm.
 */
public sealed interface Message {

  MemberId from();

  MemberId to();

  long term();

  /**
   * True if the message alone moves a receiver of an earlier term into its own. All do, but a
   * request for a vote, which may be refused because of the leader, and a granted pre-vote.
   */
  default boolean statesTerm() {
    return true;
  }

  /** The latest term of an entry that it speaks of; 0 for none. */
  default long latestEntryTerm() {
    return 0;
  }

  /** The farthest place of the log that it speaks of; 0 for none. */
  default long farthestIndex() {
    return 0;
  }

  /** True if only the leader of the message's term sends such a message. */
  default boolean isOfLeader() {
    return false;
  }

  /**
   * Asks for a vote, or with {@code preVote} whether there would be one.
   *
   * @param handOver the leader of the term before asked for this election
   */
  record VoteRequest(
      MemberId from,
      MemberId to,
      long term,
      long lastIndex,
      long lastTerm,
      boolean preVote,
      boolean handOver)
      implements Message {
    @Override
    public long latestEntryTerm() {
      return lastTerm;
    }

    @Override
    public long farthestIndex() {
      return lastIndex;
    }

    @Override
    public boolean statesTerm() {
      return false;
    }
  }

  /** Answers a {@link VoteRequest}. */
  record VoteResponse(MemberId from, MemberId to, long term, boolean preVote, boolean granted)
      implements Message {

    @Override
    public boolean statesTerm() {
      return !(preVote && granted);
    }
  }

  /**
   * Gives the follower the entries after {@code previousIndex}; without entries it is a probe or a
   * new commit index.
   *
   * @param round the read round that an answer to this message confirms
   */
  record AppendRequest(
      MemberId from,
      MemberId to,
      long term,
      long previousIndex,
      long previousTerm,
      List<Entry> entries,
      long commit,
      long round)
      implements Message {
    @Override
    public long latestEntryTerm() {
      return entries.isEmpty() ? previousTerm : entries.get(entries.size() - 1).term();
    }

    @Override
    public long farthestIndex() {
      return Math.max(previousIndex, Math.max(lastIndex(), commit));
    }

    public AppendRequest {
      entries = List.copyOf(entries);
    }

    @Override
    public boolean isOfLeader() {
      return true;
    }

    /** The index of the last entry, or {@code previousIndex} without entries. */
    public long lastIndex() {
      return previousIndex + entries.size();
    }
  }

  /**
   * Accepts the entries up to {@code index}, durably.
   *
   * @param index the follower's log equals the leader's up to here
   */
  record AppendAccepted(MemberId from, MemberId to, long term, long index, long round)
      implements Message {
    @Override
    public long farthestIndex() {
      return index;
    }
  }

  /**
   * Refuses entries whose predecessor does not match.
   *
   * @param rejected the {@code previousIndex} that was refused
   * @param conflictTerm the term the follower has there; 0 if its log ends before
   * @param conflictIndex the first index of that term in its log, or its log's end
   */
  record AppendRejected(
      MemberId from,
      MemberId to,
      long term,
      long rejected,
      long conflictTerm,
      long conflictIndex,
      long round)
      implements Message {
    @Override
    public long latestEntryTerm() {
      return conflictTerm;
    }

    @Override
    public long farthestIndex() {
      return Math.max(rejected, conflictIndex);
    }
  }

  /**
   * Keeps followers from standing for election, and tells them how far they may commit.
   *
   * @param commit no more than the follower is known to have
   */
  record Heartbeat(MemberId from, MemberId to, long term, long commit, long round)
      implements Message {
    @Override
    public long farthestIndex() {
      return commit;
    }

    @Override
    public boolean isOfLeader() {
      return true;
    }
  }

  /** Answers a {@link Heartbeat}: at this round the sender still followed. */
  record HeartbeatResponse(MemberId from, MemberId to, long term, long round) implements Message {}

  /** One piece of a snapshot. */
  record SnapshotChunk(
      MemberId from, MemberId to, long term, SnapshotMeta snapshot, long offset, Bytes bytes)
      implements Message {
    @Override
    public long latestEntryTerm() {
      return snapshot.term();
    }

    @Override
    public long farthestIndex() {
      return Math.max(snapshot.index(), snapshot.configurationIndex());
    }

    @Override
    public boolean isOfLeader() {
      return true;
    }

    /** True if the snapshot ends with this piece. */
    public boolean last() {
      return offset + bytes.size() == snapshot.size();
    }
  }

  /**
   * Asks for the piece of a snapshot at {@code offset}; {@code offset = snapshot.size} says that it
   * is installed, durably.
   */
  record SnapshotWanted(
      MemberId from, MemberId to, long term, long snapshotIndex, long fingerprint, long offset)
      implements Message {
    @Override
    public long farthestIndex() {
      return snapshotIndex;
    }
  }

  /** The leader hands its leadership to the receiver, which stands for election at once. */
  record HandOver(MemberId from, MemberId to, long term) implements Message {}

  /** A follower's reads ask for an index; {@code batch} names them to their sender only. */
  record ReadRequest(MemberId from, MemberId to, long term, long batch) implements Message {}

  /** The reads of {@code batch} may be answered from the state at {@code index} or later. */
  record ReadResponse(MemberId from, MemberId to, long term, long batch, long index)
      implements Message {
    @Override
    public long farthestIndex() {
      return index;
    }
  }

  /**
   * Proposals that a follower forwards to the leader of {@code term}, and of no other.
   *
   * @param number rises with each message of the sender, over its restarts too
   */
  record Forward(MemberId from, MemberId to, long term, long number, List<Bytes> payloads)
      implements Message {

    public Forward {
      payloads = List.copyOf(payloads);
    }
  }

  /**
   * Answers a {@link Forward}: the first {@code accepted} of its proposals stand at {@code index}
   * and after in the log of {@code term}; the rest were refused.
   */
  record Forwarded(MemberId from, MemberId to, long term, long number, long index, int accepted)
      implements Message {
    @Override
    public long farthestIndex() {
      return index;
    }
  }
}
