package io.holdfast.raft.core;

/**
 * The knowledge of a leader about one follower's log. {@code 0 <= match < next}.
 *
 * <p>{@code match} is what the follower is known to hold durably; {@code next} is what it will be
 * sent. In {@link Mode#REPLICATE} {@code next} runs ahead of {@code match} by what is in flight.
 */
final class Progress {

  /** The way in which a follower is sent the entries that it lacks. */
  enum Mode {
    /** One message at a time, to find where the logs meet. */
    PROBE,
    /** A pipeline of messages, as many as {@link Settings#maxInflightAppends()}. */
    REPLICATE,
    /** A snapshot, because the log no longer holds what the follower lacks. */
    SNAPSHOT
  }

  private final MemberId id;
  private final Inflight inflight;
  private Mode mode = Mode.PROBE;
  private long match;
  private long next;
  private boolean probeUnanswered;
  private long heardMs;
  private long advancedMs;
  private long commitSent;
  private long roundSent;
  private long roundAcked;

  Progress(MemberId id, long next, int maxInflight, long nowMs) {
    this.id = id;
    this.next = next;
    this.inflight = new Inflight(maxInflight);
    heardMs = nowMs;
    advancedMs = nowMs;
  }

  /** True if an append message may be sent now. */
  boolean mayAppend() {
    return switch (mode) {
      case PROBE -> !probeUnanswered;
      case REPLICATE -> !inflight.isFull();
      case SNAPSHOT -> false;
    };
  }

  /** An append message is on its way. */
  void sent(long lastIndex, long commit, long nowMs) {
    if (mode == Mode.PROBE) {
      probeUnanswered = true;
      return;
    }
    if (lastIndex >= next) {
      if (inflight.isEmpty()) {
        advancedMs = nowMs;
      }
      next = lastIndex + 1;
      inflight.add(lastIndex);
    }
    commitSent = Math.max(commitSent, Math.min(commit, lastIndex));
  }

  /** The follower holds everything up to {@code index}; says whether that is news. */
  boolean accepted(long index, long nowMs) {
    inflight.freeTo(index);
    boolean news = index > match;
    if (news) {
      match = index;
      advancedMs = nowMs;
    }
    next = Math.max(next, match + 1);
    return news;
  }

  /** The follower's log does not reach or match {@code rejected}; says whether that is news. */
  boolean rejected(long rejected, long tryNext) {
    boolean stale = mode == Mode.REPLICATE ? rejected <= match : rejected != next - 1;
    if (stale || mode == Mode.SNAPSHOT) {
      return false;
    }
    probeFrom(Math.max(match + 1, Math.min(rejected, tryNext)));
    return true;
  }

  void probeFrom(long index) {
    mode = Mode.PROBE;
    next = index;
    probeUnanswered = false;
    commitSent = 0;
    inflight.clear();
  }

  void replicate() {
    mode = Mode.REPLICATE;
    next = match + 1;
    probeUnanswered = false;
    inflight.clear();
  }

  void snapshot() {
    mode = Mode.SNAPSHOT;
    inflight.clear();
  }

  /** Repeats what seems lost: a probe, or a pipeline that has not moved for {@code afterMs}. */
  void repeatLost(long nowMs, long afterMs) {
    probeUnanswered = false;
    if (mode == Mode.REPLICATE && !inflight.isEmpty() && nowMs - advancedMs >= afterMs) {
      probeFrom(match + 1);
    }
  }

  void heard(long nowMs) {
    heardMs = nowMs;
  }

  /** An answer to round {@code round}. */
  void ackedRound(long round) {
    roundAcked = Math.max(roundAcked, round);
  }

  void commitSent(long commit) {
    commitSent = commit;
  }

  void roundSent(long round) {
    roundSent = round;
  }

  /** The follower is silent from here on, as far as anybody can tell. */
  void gone(long nowMs, long silentMs) {
    heardMs = Math.min(heardMs, nowMs - silentMs);
  }

  boolean heardSince(long ms) {
    return heardMs >= ms;
  }

  MemberId id() {
    return id;
  }

  Mode mode() {
    return mode;
  }

  long match() {
    return match;
  }

  long next() {
    return next;
  }

  long commitSent() {
    return commitSent;
  }

  long roundSent() {
    return roundSent;
  }

  long roundAcked() {
    return roundAcked;
  }

  @Override
  public String toString() {
    return id + " " + mode + " match " + match + " next " + next;
  }
}
