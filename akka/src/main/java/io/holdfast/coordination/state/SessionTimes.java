package io.holdfast.coordination.state;

import java.util.Optional;

/**
 * The ttl of a session, and the interval at which its node renews it.
 *
 * @param ttlMs the time for which the log keeps it without a renewal
 * @param renewalMs the time between the beginnings of two renewals of a node
 */
public record SessionTimes(int ttlMs, int renewalMs) {

  public static final SessionTimes DEFAULT = new SessionTimes(2_000, 400);

  /** The time that must be left after an election for a renewal to arrive. */
  private static final int AFTER_ELECTION_MS = 300;

  private static final int MIN_MARGIN_MS = 50;

  /**
   * The number of syncs, one after the other, that an election and the renewal behind it wait for.
   */
  private static final int SYNCS = 4;

  /** The difference that clocks may have over one ttl: at least 50 ms, and 2 % of it. */
  public int marginMs() {
    return Math.max(MIN_MARGIN_MS, (ttlMs + 49) / 50);
  }

  /** The time for which a node may act after the first send of an acknowledged renewal. */
  public int validForMs() {
    return ttlMs - marginMs();
  }

  /**
   * Up to how long a sync of the disk may take for a session to outlive an election as {@link
   * #problem} asks: the election and the renewal wait for four, those of the term, of the vote, of
   * the new leader's first entry and of the renewal.
   */
  public int toleratedSyncMs(int maxElectionTimeoutMs) {
    return (ttlMs - renewalMs - marginMs() - maxElectionTimeoutMs - AFTER_ELECTION_MS) / SYNCS;
  }

  /**
   * Returns why these times do not fit: a session must outlive an election that begins right before
   * a renewal.
   */
  public Optional<String> problem(int maxElectionTimeoutMs) {
    long left = (long) ttlMs - renewalMs - marginMs();
    long needed = (long) maxElectionTimeoutMs + AFTER_ELECTION_MS;
    if (renewalMs < 1) {
      return Optional.of("session renewal [" + renewalMs + " ms] is below the minimum [1 ms]");
    } else if (ttlMs < CoordinationBounds.MIN_TTL_MS || ttlMs > CoordinationBounds.MAX_TTL_MS) {
      return Optional.of(
          "session ttl [%d ms] is outside [%d ms, %d ms]"
              .formatted(ttlMs, CoordinationBounds.MIN_TTL_MS, CoordinationBounds.MAX_TTL_MS));
    } else if (left <= needed) {
      return Optional.of(
          "session ttl − renewal − margin [%d ms] does not exceed the election timeout + %d ms [%d ms]"
              .formatted(left, AFTER_ELECTION_MS, needed));
    }
    return Optional.empty();
  }
}
