package holdfast.grpc;

/**
 * When something that has no answer is asked again: after 250 ms, 500 ms, and then every second.
 * What is asked while nobody answers piles up at whoever answers first.
 */
final class Repetition {

  private static final long FIRST_NANOS = 250_000_000;
  private static final long LONGEST_NANOS = 1_000_000_000;

  private long pause;
  private long dueAt;

  /** Of what is asked now for the first time. */
  Repetition(long now) {
    beginAnew(now);
  }

  /** Whether it is to be asked again now; then the next time is later. */
  boolean isDue(long now) {
    if (now - dueAt < 0) {
      return false;
    }
    pause = Math.min(2 * pause, LONGEST_NANOS);
    dueAt = now + pause;
    return true;
  }

  /** It was asked now, of somebody else: that may have been too early. */
  void beginAnew(long now) {
    pause = FIRST_NANOS;
    dueAt = now + pause;
  }

  /** It is known to wait: it is asked again only in case that this is forgotten. */
  void waits(long now) {
    pause = LONGEST_NANOS;
    dueAt = now + pause;
  }
}
