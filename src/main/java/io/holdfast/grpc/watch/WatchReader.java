package io.holdfast.grpc.watch;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.Revision;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.OutOfBound;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.WatchCreate;
import io.holdfast.watch.Position;
import io.holdfast.watch.Selector;
import java.util.Optional;

/** Translates the requests of watches, and refuses invalid ones. */
final class WatchReader {

  private WatchReader() {}

  static void requireId(long id) {
    if (id < 0) {
      throw outOfBound("watch_id", id);
    }
  }

  static Selector selector(WatchCreate create) {
    return switch (create.getSelectorCase()) {
      case KEY -> Selector.key(RequestReader.key(create.getKey()).value());
      case PREFIX -> Selector.prefix(prefix(create.getPrefix()));
      case SELECTOR_NOT_SET ->
          throw error(Reason.REASON_FIELD_REQUIRED, "selector", "a key or a prefix is required");
    };
  }

  /** Returns the position to start from; empty for the first change after the creation. */
  static Optional<Position> start(WatchCreate create, WatchToken tokens) {
    return switch (create.getStartCase()) {
      case START_REVISION -> {
        if (create.getStartRevision() <= 0) {
          throw outOfBound("start_revision", create.getStartRevision());
        }
        yield Optional.of(Position.before(new Revision(create.getStartRevision())));
      }
      case RESUME_TOKEN -> Optional.of(position(create.getResumeToken(), tokens));
      case START_NOT_SET -> Optional.empty();
    };
  }

  private static Position position(ByteString token, WatchToken tokens) {
    return tokens
        .read(token)
        .orElseThrow(
            () ->
                error(
                    Reason.REASON_CURSOR_INVALID,
                    "resume_token",
                    "resume_token of [%d] bytes was not made for this selector in this cluster"
                        .formatted(token.size())));
  }

  /** Checks a prefix: it has the bounds of a key, but may be empty. */
  private static String prefix(String prefix) {
    try {
      return prefix.isEmpty() ? prefix : new LockKey(prefix).value();
    } catch (OutOfBound e) {
      throw error(Reason.REASON_KEY_INVALID, "prefix", "as a prefix, " + e.getMessage());
    }
  }

  private static StatusRuntimeException outOfBound(String field, long value) {
    return StatusMapping.error(
        Refusal.newBuilder()
            .setReason(Reason.REASON_OUT_OF_BOUND)
            .setField(field)
            .setMessage("%s [%d] is below the minimum [1]".formatted(field, value))
            .setMinimum(1));
  }

  static StatusRuntimeException error(Reason reason, String field, String message) {
    return StatusMapping.error(
        Refusal.newBuilder().setReason(reason).setField(field).setMessage(message));
  }
}
