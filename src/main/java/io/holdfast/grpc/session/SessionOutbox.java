package io.holdfast.grpc.session;

import io.holdfast.coordination.Owners;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.lock.LockKey;
import io.holdfast.sharding.ShardMap;
import io.holdfast.v1.Answer;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What one stream of a session has to tell its client, and has not told yet. */
final class SessionOutbox {

  /** A frame ends before it exceeds what one may have. */
  private static final int MAX_FRAME_BYTES = 900_000;

  /** What an answer takes beside its bytes. */
  private static final int OF_ONE = 512;

  private final AnswerWriter writer;
  private final ShardMap shards;
  private final Deque<Answer> unread = new ArrayDeque<>();
  private final Map<Integer, Owners.Owner> told = new HashMap<>();
  private long toldVersion = -1;
  private boolean begun;
  private SessionResponse.@Nullable Builder next;
  private boolean wanted;
  private long taken;
  private boolean isGiven;
  private int given;
  private int bytes;

  SessionOutbox(AnswerWriter writer, ShardMap shards) {
    this.writer = writer;
    this.shards = shards;
  }

  /** The next frame is the first. */
  void begin(SessionOpened message) {
    frame().setOpened(message);
    begun = true;
  }

  /** The client can take another frame: the last one is on its way by the connection. */
  void wanted() {
    wanted = true;
    taken++;
    isGiven = false;
    bytes -= given;
    given = 0;
  }

  /** Count of frames that the client could take: it grows as long as the client reads. */
  long taken() {
    return taken;
  }

  /** True while the connection has not taken the last frame. */
  boolean isGiven() {
    return isGiven;
  }

  void give(Answer answer) {
    unread.add(answer);
    bytes += answer.getSerializedSize() + OF_ONE;
  }

  /** Bytes of answers that wait for the client, including the frame that is not taken yet. */
  int bytes() {
    return bytes;
  }

  /** Nobody reads it any more. */
  void clear() {
    unread.clear();
    given = 0;
    bytes = 0;
    next = null;
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
    hint(shards.shard(key), to);
  }

  private void hint(int shard, Consumer<OwnerHint> to) {
    Optional<Owners.Owner> owner = shards.owners().of(shard);
    if (owner.isPresent() && !owner.get().equals(told.put(shard, owner.get()))) {
      to.accept(AnswerWriter.hint(shard, owner.get()));
    }
  }

  /** Whether there may be owners that the client has not heard of. */
  boolean hasNewOwners() {
    return begun && toldVersion != shards.owners().version();
  }

  /** The frame that goes out now; null if there is nothing to tell, or the client wants none. */
  @Nullable SessionResponse take() {
    if (!wanted || (isEmpty() && !hasNewOwners())) {
      return null;
    }
    SessionResponse.Builder frame = frame();
    tellOwners(frame);
    if (isEmpty(frame)) {
      next = null;
      return null;
    }
    isGiven = true;
    int told = 0;
    while (!unread.isEmpty()) {
      int size = unread.peek().getSerializedSize();
      told += size;
      if (told > MAX_FRAME_BYTES && frame.getAnswersCount() > 0) {
        break;
      }
      frame.addAnswers(unread.remove());
      given += size + OF_ONE;
    }
    wanted = false;
    next = null;
    return frame.setHeader(writer.header()).build();
  }

  /* All that are known in the first frame, then those that have changed. */
  private void tellOwners(SessionResponse.Builder frame) {
    long version = shards.owners().version(); // read first: what changes meanwhile is told again
    if (begun && version != toldVersion) {
      toldVersion = version;
      for (int shard = 0; shard < shards.shards(); shard++) {
        hint(shard, frame::addOwners);
      }
    }
  }

  private boolean isEmpty(SessionResponse.Builder frame) {
    return unread.isEmpty() && frame.build().equals(SessionResponse.getDefaultInstance());
  }
}
