package io.holdfast.grpc.session;

import io.holdfast.coordination.member.Owners;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.id.ShardId;
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

/** The answers and notices of one session stream that its client has not taken yet. */
final class SessionOutbox {

  /** The limit of the bytes in a frame. */
  private static final int MAX_FRAME_BYTES = 900_000;

  /** The memory overhead of one answer, in bytes. */
  private static final int OVERHEAD_OF_ANSWER = 512;

  private final AnswerWriter writer;
  private final ShardMap shards;
  private final Deque<Answer> unread = new ArrayDeque<>();
  private final Map<ShardId, Owners.Owner> knownOwners = new HashMap<>();
  private long knownVersion = -1;
  private boolean begun;
  private SessionResponse.@Nullable Builder next;
  private boolean hasDemand;
  private long taken;
  private boolean isGiven;
  private int given;
  private int bytes;

  SessionOutbox(AnswerWriter writer, ShardMap shards) {
    this.writer = writer;
    this.shards = shards;
  }

  /** Puts the opening message into the first frame. */
  void begin(SessionOpened message) {
    frame().setOpened(message);
    begun = true;
  }

  /** Notes the client's demand for a frame: the connection has taken the last one. */
  void onDemand() {
    hasDemand = true;
    taken++;
    isGiven = false;
    bytes -= given;
    given = 0;
  }

  /**
   * Returns the count of frames that the connection has taken. It grows as long as the client
   * reads.
   */
  long taken() {
    return taken;
  }

  /** True while the connection has not taken the last frame. */
  boolean isGiven() {
    return isGiven;
  }

  void give(Answer answer) {
    unread.add(answer);
    bytes += answer.getSerializedSize() + OVERHEAD_OF_ANSWER;
  }

  /** Returns the bytes of unread answers, including the frame that is not taken yet. */
  int bytes() {
    return bytes;
  }

  /** Drops everything: the client is gone. */
  void clear() {
    unread.clear();
    given = 0;
    bytes = 0;
    next = null;
  }

  boolean isEmpty() {
    return unread.isEmpty() && next == null;
  }

  /** Returns the next frame, for everything except answers. */
  SessionResponse.Builder frame() {
    SessionResponse.Builder frame = next;
    if (frame == null) {
      frame = SessionResponse.newBuilder();
      next = frame;
    }
    return frame;
  }

  /** Adds the owner of the key's shard if it differs from the one that the client knows. */
  void hint(LockKey key, Consumer<OwnerHint> to) {
    hint(shards.shard(key), to);
  }

  private void hint(ShardId shard, Consumer<OwnerHint> to) {
    Optional<Owners.Owner> owner = shards.owners().of(shard);
    if (owner.isPresent() && !owner.get().equals(knownOwners.put(shard, owner.get()))) {
      to.accept(AnswerWriter.hint(shard, owner.get()));
    }
  }

  /** True if the owners may have changed since the client was last told. */
  boolean hasNewOwners() {
    return begun && knownVersion != shards.owners().version();
  }

  /**
   * Returns the frame to send now; null if there is nothing to send or the client has no demand.
   */
  @Nullable SessionResponse take() {
    if (!hasDemand || (isEmpty() && !hasNewOwners())) {
      return null;
    }
    SessionResponse.Builder frame = frame();
    addOwners(frame);
    if (isEmpty(frame)) {
      next = null;
      return null;
    }
    isGiven = true;
    int frameBytes = 0;
    while (!unread.isEmpty()) {
      int size = unread.peek().getSerializedSize();
      frameBytes += size;
      if (frameBytes > MAX_FRAME_BYTES && frame.getAnswersCount() > 0) {
        break;
      }
      frame.addAnswers(unread.remove());
      given += size + OVERHEAD_OF_ANSWER;
    }
    hasDemand = false;
    next = null;
    return frame.setHeader(writer.header()).build();
  }

  /* The first frame has all known owners, a later one only those that have changed. */
  private void addOwners(SessionResponse.Builder frame) {
    long version = shards.owners().version(); // read first: a concurrent change is sent again
    if (begun && version != knownVersion) {
      knownVersion = version;
      for (ShardId shard : ShardId.range(shards.shards())) {
        hint(shard, frame::addOwners);
      }
    }
  }

  private boolean isEmpty(SessionResponse.Builder frame) {
    return unread.isEmpty() && frame.build().equals(SessionResponse.getDefaultInstance());
  }
}
