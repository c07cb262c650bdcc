package io.holdfast.client.session;

/**
 * The client, the ttl and the timeouts of a session. All times are in milliseconds.
 *
 * @param ttl the ttl of the session's lease
 * @param answerWithin the time after which an operation without an answer fails
 * @param probeAfter the silence after which a node is probed
 * @param silentAfter the time without an answer to the probe after which the node counts as frozen
 */
public record SessionTerms(
    String clientId, long ttl, long answerWithin, long probeAfter, long silentAfter) {

  private static final long MIN_TTL = 1_000;
  private static final long MAX_TTL = 600_000;
  private static final long USUAL_ANSWER_WITHIN = 10_000;
  public static final long USUAL_PROBE_AFTER = 300;
  public static final long USUAL_SILENT_AFTER = 700;

  public SessionTerms {
    if (ttl < MIN_TTL || ttl > MAX_TTL) {
      throw new IllegalArgumentException(
          "ttl [%d ms] is not within [%d ms] and [%d ms]".formatted(ttl, MIN_TTL, MAX_TTL));
    } else if (answerWithin <= 0 || probeAfter <= 0 || silentAfter <= 0) {
      throw new IllegalArgumentException("a patience is not positive");
    }
  }

  /** Creates terms with the default timeouts. */
  public static SessionTerms of(String clientId, long ttlMillis) {
    return new SessionTerms(
        clientId, ttlMillis, USUAL_ANSWER_WITHIN, USUAL_PROBE_AFTER, USUAL_SILENT_AFTER);
  }
}
