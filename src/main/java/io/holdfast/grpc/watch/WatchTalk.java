package io.holdfast.grpc.watch;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.v1.Reason;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.watch.Answer;
import io.holdfast.watch.Position;
import io.holdfast.watch.Selector;
import io.holdfast.watch.WatchHub;
import io.holdfast.watch.WatchStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is said on one stream of watches: each request has one answer at most, at once, and the
 * watches speak when they are asked. For one thread at a time.
 */
final class WatchTalk implements AutoCloseable {

  /** Ids that the server chooses are above it. */
  private static final long OWN_IDS = 1L << 62;

  /** A watch of the stream, in the client's words. */
  private static final class Open {
    private final WatchToken tokens;
    private final boolean previous;
    private final boolean marks;
    private final int size;
    private long spokeAt;
    private boolean asked;

    private Open(WatchToken tokens, WatchCreate wanted, int size, long now) {
      this.size = size;
      this.tokens = tokens;
      previous = wanted.getPrevLock();
      marks = wanted.getProgressNotify();
      spokeAt = now;
    }
  }

  private final WatchHub hub;
  private final WatchStream stream;
  private final WatchWriter writer;
  private final WatchShare share;
  private final long progressNanos;
  private final LongSupplier nanos;
  private final Map<Long, Open> watches = new HashMap<>();
  private long lastOwnId = OWN_IDS;

  WatchTalk(
      WatchHub hub,
      WatchWriter writer,
      WatchShare share,
      Duration progressEvery,
      LongSupplier nanos,
      Runnable wake) {
    this.share = share;
    this.hub = hub;
    this.stream = hub.open(wake);
    this.writer = writer;
    this.progressNanos = progressEvery.toNanos();
    this.nanos = nanos;
  }

  /**
   * Does what a request asks for.
   *
   * @throws StatusRuntimeException if the stream has to end
   */
  Optional<WatchResponse> handle(WatchRequest request) {
    RequestReader.requireSize(request.getSerializedSize());
    return switch (request.getRequestCase()) {
      case CREATE -> Optional.of(create(request.getCreate()));
      case CANCEL -> Optional.of(cancel(request.getCancel().getWatchId()));
      case PROGRESS -> stream.mark(request.getProgress().getWatchId()).map(writer::ended);
      case REQUEST_NOT_SET ->
          throw WatchReader.error(
              Reason.REASON_FIELD_REQUIRED, "request", "a request has to ask for something");
    };
  }

  /** What a watch has to say; empty if none has, and then the stream is woken later. */
  Optional<WatchResponse> next() {
    return stream.next().map(this::response);
  }

  /** Lets the watches that want it, and have been silent for long, have a mark to tell. */
  void markSilence() {
    long now = nanos.getAsLong();
    watches.forEach(
        (id, open) -> {
          if (open.marks && !open.asked && now - open.spokeAt >= progressNanos) {
            open.asked = true;
            var unused = stream.mark(id);
          }
        });
  }

  /** Whether the watches may speak: not while too much of what was told is not read. */
  boolean mayTell() {
    return share.hasRoom();
  }

  /** Whether no watch is left. */
  boolean isEmpty() {
    return watches.isEmpty();
  }

  /** Whether the node stops and all has been said. */
  boolean isOver() {
    return stream.isOver();
  }

  @Override
  public void close() {
    stream.close();
    watches.values().forEach(open -> share.give(open.size));
    watches.clear();
  }

  private WatchResponse create(WatchCreate create) {
    long id = create.getWatchId() == 0 ? ownId() : create.getWatchId();
    try {
      WatchReader.requireId(id);
      Selector selector = WatchReader.selector(create);
      WatchToken tokens = writer.tokens(selector);
      Optional<Position> start = WatchReader.start(create, tokens);
      int size = share.take(selector);
      Answer answer =
          start.isPresent()
              ? stream.create(id, selector, start.get())
              : stream.create(id, selector);
      if (answer instanceof Answer.Created created) {
        watches.put(id, new Open(tokens, create, size, nanos.getAsLong()));
        return writer.created(created, tokens);
      }
      share.give(size);
      return writer.ended((Answer.Ended) answer);
    } catch (StatusRuntimeException e) {
      return writer.refused(id, hub.revision(), WatchRefusals.of(e));
    }
  }

  private WatchResponse cancel(long id) {
    Answer.Ended ended = stream.cancel(id);
    Open open = removed(id);
    return open == null ? writer.ended(ended) : writer.ended(ended, open.tokens);
  }

  private @Nullable Open removed(long id) {
    Open open = watches.remove(id);
    if (open != null) {
      share.give(open.size);
    }
    return open;
  }

  private WatchResponse response(Answer answer) {
    Open open = Objects.requireNonNull(watches.get(answer.watch()));
    open.spokeAt = nanos.getAsLong();
    open.asked = false;
    if (answer instanceof Answer.Events events) {
      return writer.events(events, open.tokens, open.previous);
    } else if (answer instanceof Answer.Mark mark) {
      return writer.mark(mark, open.tokens);
    } else if (answer instanceof Answer.Ended ended) {
      var unused = removed(answer.watch());
      return writer.ended(ended, open.tokens);
    } else if (answer instanceof Answer.Created created) {
      return writer.created(created, open.tokens);
    }
    throw new IllegalStateException("no answer of a watch [" + answer + "]");
  }

  private long ownId() {
    do {
      lastOwnId++;
    } while (watches.containsKey(lastOwnId));
    return lastOwnId;
  }
}
