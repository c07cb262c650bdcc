package io.holdfast.grpc.session;

import akka.actor.typed.ActorRef;
import io.holdfast.bytes.Bytes;
import io.holdfast.journal.ChangeNote;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.journal.state.LeaseEnd;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which stream of this node serves which session: one at a time. It hears of the ends of sessions,
 * wherever they are ended. Safe for use by many threads.
 */
public final class Sessions implements LeaseEndFeed.Listener {

  /** What streams are told. */
  sealed interface Notice extends SessionMessage {}

  /** A newer stream serves the session. */
  record Replaced() implements Notice {}

  /**
   * The log has ended the session.
   *
   * @param note what the log says of it
   */
  record Ended(long incarnation, Bytes note) implements Notice {

    /** Whether somebody wished so; else its ttl has passed, or a later version knows why. */
    boolean isRevoked() {
      try {
        return ChangeNote.of(note).cause() == ChangeNote.Cause.REVOKED;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  }

  /** These shards have come to other owners. */
  record Moved(Set<Integer> shards) implements Notice {

    Moved {
      shards = Collections.unmodifiableSortedSet(new TreeSet<>(shards));
    }
  }

  private final int maxStreams;
  private final Executor executor;
  private final Map<Long, ActorRef<SessionMessage>> streams = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Set<Integer> moved = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isTelling = new AtomicBoolean();

  /**
   * No stream serves.
   *
   * @param executor tells many streams something; the log's thread has no time for that
   */
  public Sessions(int maxStreams, Executor executor) {
    this.maxStreams = maxStreams;
    this.executor = executor;
  }

  /** Counts a stream that begins; false if there are too many. */
  public boolean begin() {
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
  void join(long session, ActorRef<SessionMessage> stream) {
    ActorRef<SessionMessage> before = streams.put(session, stream);
    if (before != null && !before.equals(stream)) {
      before.tell(new Replaced());
    }
  }

  @Override
  public void ended(LeaseEnd end) {
    ActorRef<SessionMessage> stream = streams.get(end.lease().id());
    if (stream != null) {
      stream.tell(new Ended(end.lease().incarnation(), end.note()));
    }
  }

  /** A shard has come to another owner; of several at about the same time streams hear together. */
  public void moved(int shard) {
    moved.add(shard);
    if (isTelling.compareAndSet(false, true)) {
      executor.execute(this::tellMoves);
    }
  }

  private void tellMoves() {
    isTelling.set(false);
    Moved told = new Moved(moved);
    moved.removeAll(told.shards());
    streams.values().forEach(stream -> stream.tell(told));
  }

  void leave(long session, ActorRef<SessionMessage> stream) {
    streams.remove(session, stream);
  }
}
