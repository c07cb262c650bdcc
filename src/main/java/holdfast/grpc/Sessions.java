package holdfast.grpc;

import akka.actor.typed.ActorRef;
import holdfast.journal.ChangeNote;
import holdfast.journal.LeaseEnds;
import holdfast.journal.state.LeaseEnd;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which stream of this node serves which session: one at a time. It hears of the ends of sessions,
 * wherever they are ended. Safe for use by many threads.
 */
final class Sessions implements LeaseEnds.Listener {

  /** A newer stream serves the session. */
  record Replaced() {}

  /**
   * The log has ended the session.
   *
   * @param isRevoked whether somebody wished so; else its ttl has passed
   */
  record Ended(long incarnation, boolean isRevoked) {}

  private final int maxStreams;
  private final Map<Long, ActorRef<Object>> streams = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  Sessions(int maxStreams) {
    this.maxStreams = maxStreams;
  }

  /** Counts a stream that begins; false if there are too many. */
  boolean begin() {
    if (count.incrementAndGet() > maxStreams) {
      count.decrementAndGet();
      return false;
    }
    return true;
  }

  /** A stream that was counted has ended. */
  void ended() {
    count.decrementAndGet();
  }

  /** This stream serves the session from now on. */
  void join(long session, ActorRef<Object> stream) {
    ActorRef<Object> before = streams.put(session, stream);
    if (before != null && !before.equals(stream)) {
      before.tell(new Replaced());
    }
  }

  @Override
  public void ended(LeaseEnd end) {
    ActorRef<Object> stream = streams.get(end.lease().id());
    if (stream != null) {
      boolean isRevoked = ChangeNote.of(end.note()).cause() == ChangeNote.Cause.REVOKED;
      stream.tell(new Ended(end.lease().incarnation(), isRevoked));
    }
  }

  void leave(long session, ActorRef<Object> stream) {
    streams.remove(session, stream);
  }
}
