package io.holdfast.raft.core;

/**
 * The limits and delays of the core.
 *
 * @param electionTimeoutMs the shortest silence of the leader after which a follower stands; each
 *     wait is drawn between it and twice of it
 * @param heartbeatMs the interval at which an idle leader sends
 * @param maxProposalBytes the largest payload
 * @param maxPendingProposals the largest number of this member's proposals without an outcome
 * @param maxPendingReads the largest number of this member's reads without an outcome
 * @param maxUncommittedBytes the largest size of the uncommitted entries in a leader's log
 * @param maxAppendBytes the largest size of one append message
 * @param maxInflightAppends the largest number of append messages that a follower has not answered
 * @param maxApplyBytes the largest size of the entries that one {@link Ready} gives to apply
 * @param snapshotChunkBytes the size of the piece of a snapshot in one message
 * @param retainedTail the number of entries before a snapshot that a compaction keeps for slow
 *     followers
 * @param caughtUpWithin the number of entries that a learner may lack and still be promoted
 * @param leaseReads true if a leader answers reads on its lease, without a round
 * @param leaseMarginPercent the part of the election timeout that the lease gives up to clock drift
 * @param fastPath true if the proven end of the leader's process starts an election at once
 * @param fastPathStepMs the additional delay of each lower priority on the fast path
 */
public record Settings(
    int electionTimeoutMs,
    int heartbeatMs,
    int maxProposalBytes,
    int maxPendingProposals,
    int maxPendingReads,
    long maxUncommittedBytes,
    int maxAppendBytes,
    int maxInflightAppends,
    int maxApplyBytes,
    int snapshotChunkBytes,
    int retainedTail,
    int caughtUpWithin,
    boolean leaseReads,
    int leaseMarginPercent,
    boolean fastPath,
    int fastPathStepMs) {

  /** For members in one site. */
  public static final Settings LOCAL =
      new Settings(
          500, // electionTimeoutMs
          100, // heartbeatMs
          1 << 20, // maxProposalBytes
          16_384, // maxPendingProposals
          65_536, // maxPendingReads
          64L << 20, // maxUncommittedBytes
          256 << 10, // maxAppendBytes
          64, // maxInflightAppends
          4 << 20, // maxApplyBytes
          256 << 10, // snapshotChunkBytes
          10_000, // retainedTail
          1_000, // caughtUpWithin
          false, // leaseReads
          20, // leaseMarginPercent
          true, // fastPath
          15); // fastPathStepMs

  public Settings {
    atLeast("election timeout", electionTimeoutMs, 10);
    atLeast("heartbeat", heartbeatMs, 1);
    atLeast("max proposal bytes", maxProposalBytes, 1);
    atLeast("max pending proposals", maxPendingProposals, 1);
    atLeast("max pending reads", maxPendingReads, 1);
    atLeast("max uncommitted bytes", maxUncommittedBytes, maxProposalBytes);
    atLeast("max append bytes", maxAppendBytes, 1);
    atLeast("max inflight appends", maxInflightAppends, 1);
    atLeast("max apply bytes", maxApplyBytes, 1);
    atLeast("snapshot chunk bytes", snapshotChunkBytes, 1);
    atLeast("retained tail", retainedTail, 0);
    atLeast("caught up within", caughtUpWithin, 0);
    atLeast("fast path step", fastPathStepMs, 0);
    if (heartbeatMs * 3 > electionTimeoutMs) {
      throw new IllegalArgumentException(
          "heartbeat [" + heartbeatMs + " ms] exceeds a third of the election timeout");
    }
    if (leaseMarginPercent < 0 || leaseMarginPercent >= 100) {
      throw new IllegalArgumentException("lease margin [" + leaseMarginPercent + " %]");
    }
    if (leaseReads && fastPath) {
      throw new IllegalArgumentException(
          "lease reads exclude the fast path: it elects a leader while a lease may be running");
    }
  }

  /** For members in several sites: elections wait 1000 to 2000 ms. */
  public static Settings wan() {
    return LOCAL.withElection(1000, 100);
  }

  public Settings withElection(int timeoutMs, int everyMs) {
    return new Settings(
        timeoutMs,
        everyMs,
        maxProposalBytes,
        maxPendingProposals,
        maxPendingReads,
        maxUncommittedBytes,
        maxAppendBytes,
        maxInflightAppends,
        maxApplyBytes,
        snapshotChunkBytes,
        retainedTail,
        caughtUpWithin,
        leaseReads,
        leaseMarginPercent,
        fastPath,
        fastPathStepMs);
  }

  /** The same with another bound on a payload. */
  public Settings withMaxProposalBytes(int bytes) {
    return new Settings(
        electionTimeoutMs,
        heartbeatMs,
        bytes,
        maxPendingProposals,
        maxPendingReads,
        maxUncommittedBytes,
        maxAppendBytes,
        maxInflightAppends,
        maxApplyBytes,
        snapshotChunkBytes,
        retainedTail,
        caughtUpWithin,
        leaseReads,
        leaseMarginPercent,
        fastPath,
        fastPathStepMs);
  }

  /** The same with another bound on what waits for a majority. */
  public Settings withMaxUncommittedBytes(long bytes) {
    return new Settings(
        electionTimeoutMs,
        heartbeatMs,
        maxProposalBytes,
        maxPendingProposals,
        maxPendingReads,
        bytes,
        maxAppendBytes,
        maxInflightAppends,
        maxApplyBytes,
        snapshotChunkBytes,
        retainedTail,
        caughtUpWithin,
        leaseReads,
        leaseMarginPercent,
        fastPath,
        fastPathStepMs);
  }

  /** The same with lease reads instead of the fast path. */
  public Settings withLeaseReads() {
    return new Settings(
        electionTimeoutMs,
        heartbeatMs,
        maxProposalBytes,
        maxPendingProposals,
        maxPendingReads,
        maxUncommittedBytes,
        maxAppendBytes,
        maxInflightAppends,
        maxApplyBytes,
        snapshotChunkBytes,
        retainedTail,
        caughtUpWithin,
        true,
        leaseMarginPercent,
        false,
        fastPathStepMs);
  }

  /**
   * The time after the beginning of a round for which the leader that won it may answer reads
   * alone.
   */
  long leaseMs() {
    return electionTimeoutMs * (100L - leaseMarginPercent) / 100;
  }

  private static void atLeast(String name, long value, long bound) {
    if (value < bound) {
      throw new IllegalArgumentException(name + " [" + value + "] is below [" + bound + "]");
    }
  }
}
