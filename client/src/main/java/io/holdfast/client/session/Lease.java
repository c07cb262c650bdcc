package io.holdfast.client.session;

import io.holdfast.v1.SessionOpened;
import java.util.TreeMap;

/** The lease of a session: its keepalives, and until when it surely lives. */
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

  /** The number of a keepalive that goes out now. */
  long send(long now) {
    number++;
    sentAt.put(number, now);
    if (sentAt.size() > MAX_UNACKNOWLEDGED) {
      sentAt.pollFirstEntry();
    }
    lastSentAt = now;
    return number;
  }

  /** A keepalive was acknowledged. It counts from its own sending, found by its number. */
  void acknowledged(long keepAlive, long grantedTtlMillis) {
    Long sent = sentAt.get(keepAlive);
    if (sent != null) {
      renewed(sent, grantedTtlMillis);
      sentAt.headMap(keepAlive, /* inclusive= */ true).clear();
    }
  }

  /** Another stream was opened, which is a renewal too. */
  void renewed(long firstSentAt, long grantedTtlMillis) {
    validity.renewed(firstSentAt, grantedTtlMillis);
    acknowledgedSentAt = DeadlineRules.later(acknowledgedSentAt, firstSentAt);
    isOverdue = false;
  }

  /** The time of the next keepalive. */
  long dueAt(long retryNanos) {
    long regular = acknowledgedSentAt + DeadlineRules.nanos(validity.ttlMillis()) / 3;
    return DeadlineRules.later(regular, lastSentAt + Math.min(retryNanos, regularPause()));
  }

  private long regularPause() {
    return DeadlineRules.nanos(validity.ttlMillis()) / 6;
  }

  /** True if one went out since the last acknowledgement: the next goes to every node. */
  boolean isOverdue() {
    return isOverdue;
  }

  void markOverdue() {
    isOverdue = true;
  }
}
