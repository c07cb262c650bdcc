package holdfast.grpc;

import akka.actor.typed.ActorRef;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Which stream of this node serves which session: one at a time. Safe for use by many threads. */
final class Sessions {

  /** A newer stream serves the session. */
  record Replaced() {}

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

  void leave(long session, ActorRef<Object> stream) {
    streams.remove(session, stream);
  }
}
