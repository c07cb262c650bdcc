package io.holdfast.grpc.session;

import akka.actor.typed.ActorRef;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
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
 * The session streams of this node, at most one for each session. Notifies them of the end of their
 * session and of new owners of shards. Safe for use by many threads.
 */
public final class SessionRegistry implements LeaseEndFeed.Listener {

  /** A notice to a stream. */
  sealed interface SessionNotice extends SessionMessage {}

  /** A newer stream has taken over the session. */
  record StreamReplaced() implements SessionNotice {}

  /**
   * The log has ended the session.
   *
   * @param note the note of the log, with the cause
   */
  record SessionEnded(Revision incarnation, Bytes note) implements SessionNotice {

    /**
     * True if the session was revoked. Otherwise it has expired, or the cause is of a later
     * version.
     */
    boolean isRevoked() {
      try {
        return ChangeNote.of(note).cause() == ChangeNote.Cause.REVOKED;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  }

  /** These shards have new owners. */
  record ShardsMoved(Set<ShardId> shards) implements SessionNotice {

    ShardsMoved {
      shards = Collections.unmodifiableSortedSet(new TreeSet<>(shards));
    }
  }

  private final int maxStreams;
  private final Executor executor;
  private final Map<LeaseId, ActorRef<SessionMessage>> streams = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Set<ShardId> moved = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isTelling = new AtomicBoolean();

  /**
   * Starts without streams.
   *
   * @param executor runs notifications of many streams, which would block the log's thread
   */
  public SessionRegistry(int maxStreams, Executor executor) {
    this.maxStreams = maxStreams;
    this.executor = executor;
  }

  /** Counts a new stream; false if there are too many. */
  public boolean begin() {
    if (count.incrementAndGet() > maxStreams) {
      count.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Stops counting a stream that has ended. */
  void ended() {
    count.decrementAndGet();
  }

  /** Registers the stream for the session, and notifies the stream that it replaces. */
  void join(LeaseId session, ActorRef<SessionMessage> stream) {
    ActorRef<SessionMessage> before = streams.put(session, stream);
    if (before != null && !before.equals(stream)) {
      before.tell(new StreamReplaced());
    }
  }

  @Override
  public void ended(LeaseEnd end) {
    ActorRef<SessionMessage> stream = streams.get(end.lease().id());
    if (stream != null) {
      stream.tell(new SessionEnded(end.lease().incarnation(), end.note()));
    }
  }

  /** Notifies all streams of a shard's new owner. Changes at about the same time are one notice. */
  public void moved(ShardId shard) {
    moved.add(shard);
    if (isTelling.compareAndSet(false, true)) {
      executor.execute(this::tellMoves);
    }
  }

  private void tellMoves() {
    isTelling.set(false);
    ShardsMoved told = new ShardsMoved(moved);
    moved.removeAll(told.shards());
    streams.values().forEach(stream -> stream.tell(told));
  }

  void leave(LeaseId session, ActorRef<SessionMessage> stream) {
    streams.remove(session, stream);
  }
}
