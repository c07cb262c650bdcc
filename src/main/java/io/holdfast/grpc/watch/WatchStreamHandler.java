package io.holdfast.grpc.watch;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.v1.Reason;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.watch.Position;
import io.holdfast.watch.Selector;
import io.holdfast.watch.WatchAnswer;
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
 * The rules of one stream of watches: answers each request at once, and polls the watches for their
 * next message. For one thread at a time.
 */
final class WatchStreamHandler implements AutoCloseable {

  /** The ids that the server chooses are above this one. */
  private static final long OWN_IDS = 1L << 62;

  /** A watch of the stream, with the options of the client. */
  private static final class OpenWatch {
    private final WatchToken tokens;
    private final boolean previous;
    private final boolean marks;
    private final int size;
    private long lastSentAt;
    private boolean markRequested;

    private OpenWatch(WatchToken tokens, WatchCreate wanted, int size, long now) {
      this.size = size;
      this.tokens = tokens;
      previous = wanted.getPrevLock();
      marks = wanted.getProgressNotify();
      lastSentAt = now;
    }
  }

  private final WatchHub hub;
  private final WatchStream stream;
  private final WatchWriter writer;
  private final WatchQuota quota;
  private final long progressNanos;
  private final LongSupplier nanos;
  private final Map<Long, OpenWatch> watches = new HashMap<>();
  private long lastOwnId = OWN_IDS;

  WatchStreamHandler(
      WatchHub hub,
      WatchWriter writer,
      WatchQuota quota,
      Duration progressEvery,
      LongSupplier nanos,
      Runnable wake) {
    this.quota = quota;
    this.hub = hub;
    this.stream = hub.open(wake);
    this.writer = writer;
    this.progressNanos = progressEvery.toNanos();
    this.nanos = nanos;
  }

  /**
   * Executes a request, and returns its answer.
   *
   * @throws StatusRuntimeException if the stream must end
   */
  Optional<WatchResponse> handle(WatchRequest request) {
    RequestReader.requireSize(request.getSerializedSize());
    return switch (request.getRequestCase()) {
      case CREATE -> Optional.of(create(request.getCreate()));
      case CANCEL -> Optional.of(cancel(request.getCancel().getWatchId()));
      case PROGRESS -> stream.mark(request.getProgress().getWatchId()).map(writer::ended);
      case REQUEST_NOT_SET ->
          throw WatchReader.error(Reason.REASON_FIELD_REQUIRED, "request", "the request is empty");
    };
  }

  /**
   * Returns the next message of a watch; empty if there is none. The stream is woken when there is
   * one.
   */
  Optional<WatchResponse> next() {
    return stream.next().map(this::response);
  }

  /** Requests a progress mark from each watch that wants marks and has been silent for long. */
  void requestMarks() {
    long now = nanos.getAsLong();
    watches.forEach(
        (id, open) -> {
          if (open.marks && !open.markRequested && now - open.lastSentAt >= progressNanos) {
            open.markRequested = true;
            var unused = stream.mark(id);
          }
        });
  }

  /** True if watches may send: not while the node holds too many unread answers. */
  boolean maySend() {
    return quota.hasRoom();
  }

  /** True if the stream has no watch. */
  boolean isEmpty() {
    return watches.isEmpty();
  }

  /** True if the node is shutting down and all messages are sent. */
  boolean isOver() {
    return stream.isOver();
  }

  @Override
  public void close() {
    stream.close();
    watches.values().forEach(open -> quota.give(open.size));
    watches.clear();
  }

  private WatchResponse create(WatchCreate create) {
    long id = create.getWatchId() == 0 ? ownId() : create.getWatchId();
    try {
      WatchReader.requireId(id);
      Selector selector = WatchReader.selector(create);
      WatchToken tokens = writer.tokens(selector);
      Optional<Position> start = WatchReader.start(create, tokens);
      int size = quota.take(selector);
      WatchAnswer answer =
          start.isPresent()
              ? stream.create(id, selector, start.get())
              : stream.create(id, selector);
      if (answer instanceof WatchAnswer.Created created) {
        watches.put(id, new OpenWatch(tokens, create, size, nanos.getAsLong()));
        return writer.created(created, tokens);
      }
      quota.give(size);
      return writer.ended((WatchAnswer.Ended) answer);
    } catch (StatusRuntimeException e) {
      return writer.refused(id, hub.revision(), WatchRefusals.of(e));
    }
  }

  private WatchResponse cancel(long id) {
    WatchAnswer.Ended ended = stream.cancel(id);
    OpenWatch open = removed(id);
    return open == null ? writer.ended(ended) : writer.ended(ended, open.tokens);
  }

  private @Nullable OpenWatch removed(long id) {
    OpenWatch open = watches.remove(id);
    if (open != null) {
      quota.give(open.size);
    }
    return open;
  }

  private WatchResponse response(WatchAnswer answer) {
    OpenWatch open = Objects.requireNonNull(watches.get(answer.watch()));
    open.lastSentAt = nanos.getAsLong();
    open.markRequested = false;
    if (answer instanceof WatchAnswer.Events events) {
      return writer.events(events, open.tokens, open.previous);
    } else if (answer instanceof WatchAnswer.Mark mark) {
      return writer.mark(mark, open.tokens);
    } else if (answer instanceof WatchAnswer.Ended ended) {
      var unused = removed(answer.watch());
      return writer.ended(ended, open.tokens);
    } else if (answer instanceof WatchAnswer.Created created) {
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
