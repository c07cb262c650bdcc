package holdfast.grpc;

import akka.actor.typed.ActorRef;
import holdfast.entity.LockShards;
import holdfast.grpc.SessionFlow.Out;
import holdfast.lock.LockKey;
import holdfast.v1.Answer;
import holdfast.v1.OwnerHint;
import holdfast.v1.SessionResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What one stream of a session has to tell its client, and has not told yet. */
final class SessionOutbox {

  /** A frame ends before it exceeds what one may have. */
  private static final int MAX_FRAME_BYTES = 900_000;

  private final AnswerWriter writer;
  private final LockShards locks;
  private final Deque<Answer> unread = new ArrayDeque<>();
  private final Map<Integer, Long> hinted = new HashMap<>();
  private SessionResponse.@Nullable Builder next;
  private @Nullable ActorRef<Out> out;
  private boolean wanted = true;

  SessionOutbox(AnswerWriter writer, LockShards locks) {
    this.writer = writer;
    this.locks = locks;
  }

  /** The client can be told from now on. */
  void opened(ActorRef<Out> to) {
    out = to;
  }

  /** The client can take another frame. */
  void wanted() {
    wanted = true;
  }

  void give(Answer answer) {
    unread.add(answer);
  }

  int unread() {
    return unread.size();
  }

  boolean isEmpty() {
    return unread.isEmpty() && next == null;
  }

  /** The frame that goes out next, for what is not an answer. */
  SessionResponse.Builder frame() {
    SessionResponse.Builder frame = next;
    if (frame == null) {
      frame = SessionResponse.newBuilder();
      next = frame;
    }
    return frame;
  }

  /** Tells the owner of a shard when it is not the one that this stream was told last. */
  void hint(LockKey key, Consumer<OwnerHint> to) {
    locks
        .owner(key)
        .ifPresent(
            owner -> {
              int shard = locks.shard(key);
              Long known = hinted.put(shard, owner.epoch());
              if (known == null || known != owner.epoch()) {
                to.accept(AnswerWriter.hint(shard, owner));
              }
            });
  }

  /**
   * Gives the client a frame, if there is something and it wants one.
   *
   * @return whether a frame went out that says that the session is closed
   */
  boolean speak() {
    ActorRef<Out> to = out;
    if (!wanted || to == null || isEmpty()) {
      return false;
    }
    SessionResponse.Builder frame = frame();
    int bytes = 0;
    while (!unread.isEmpty()) {
      bytes += unread.peek().getSerializedSize();
      if (bytes > MAX_FRAME_BYTES && frame.getAnswersCount() > 0) {
        break;
      }
      frame.addAnswers(unread.remove());
    }
    wanted = false;
    next = null;
    to.tell(new Out.Frame(frame.setHeader(writer.header()).build()));
    return frame.getClosed();
  }

  /** Ends the stream. */
  void end(Out how) {
    if (out != null) {
      out.tell(how);
    }
  }
}
