package io.holdfast.client.session;

import io.holdfast.v1.SessionOpened;
import java.util.TreeMap;

/** The lease of a session, with its keepalives and its deadline. */
final class Lease {

  private static final int MAX_UNACKNOWLEDGED = 1_000;

  final long id;
  final Validity validity;

  private final TreeMap<Long, Long> sentAt = new TreeMap<>();
  private long number;
  private long acknowledgedSentAt;
  private long lastSentAt;
  private boolean isOverdue;

  Lease(SessionOpened opened, long firstFrameSentAt) {
    id = opened.getSessionId();
    long ttl = opened.getGrantedTtlMs();
    validity = new Validity(DeadlineRules.deadline(firstFrameSentAt, ttl), ttl);
    acknowledgedSentAt = firstFrameSentAt;
    lastSentAt = firstFrameSentAt;
  }

  /** Returns the number of the keepalive that is sent now. */
  long send(long now) {
    number++;
    sentAt.put(number, now);
    if (sentAt.size() > MAX_UNACKNOWLEDGED) {
      sentAt.pollFirstEntry();
    }
    lastSentAt = now;
    return number;
  }

  /**
   * Handles the acknowledgement of a keepalive. The renewal counts from the time when the keepalive
   * of this number was sent.
   */
  void acknowledged(long keepAlive, long grantedTtlMillis) {
    Long sent = sentAt.get(keepAlive);
    if (sent != null) {
      renewed(sent, grantedTtlMillis);
      sentAt.headMap(keepAlive, /* inclusive= */ true).clear();
    }
  }

  /** Handles the opening of another stream, which renews the lease too. */
  void renewed(long firstSentAt, long grantedTtlMillis) {
    validity.renewed(firstSentAt, grantedTtlMillis);
    acknowledgedSentAt = DeadlineRules.later(acknowledgedSentAt, firstSentAt);
    isOverdue = false;
  }

  /** Returns the time of the next keepalive. */
  long dueAt(long retryNanos) {
    long regular = acknowledgedSentAt + DeadlineRules.nanos(validity.ttlMillis()) / 3;
    return DeadlineRules.later(regular, lastSentAt + Math.min(retryNanos, regularPause()));
  }

  private long regularPause() {
    return DeadlineRules.nanos(validity.ttlMillis()) / 6;
  }

  /** True if a keepalive is unacknowledged: the next one goes to every node. */
  boolean isOverdue() {
    return isOverdue;
  }

  void markOverdue() {
    isOverdue = true;
  }
}
