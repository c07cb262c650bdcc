package io.holdfast.client;

import com.google.protobuf.MessageLite;
import io.holdfast.v1.Reason;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks arguments against the bounds of the contract before a request is sent. */
final class ArgumentChecks {

  private static final int MAX_KEY = 512;
  private static final int MAX_CLIENT_ID = 128;
  private static final int MAX_MESSAGE = 65_536;
  private static final Duration MIN_TTL = Duration.ofMillis(100);
  private static final Duration MAX_TTL = Duration.ofHours(24);

  private ArgumentChecks() {}

  /** Returns the key of a lock if it is valid. */
  static String key(String key) {
    return key("key", key);
  }

  /** Returns the prefix of keys if it is valid; empty for all. */
  static String prefix(String prefix) {
    return prefix.isEmpty() ? prefix : key("prefix", prefix);
  }

  private static String key(String what, String text) {
    String fault = fault(what, Objects.requireNonNull(text, what), MAX_KEY);
    if (fault != null) {
      throw new RequestRefused(Reason.REASON_KEY_INVALID, fault, null);
    }
    return text;
  }

  /** Returns the ttl of a single grant if it is valid. */
  static Duration ttl(Duration ttl) {
    if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0) {
      throw new RequestRefused(
          Reason.REASON_OUT_OF_BOUND,
          "ttl [%s] is not within [%s] and [%s]".formatted(ttl, MIN_TTL, MAX_TTL),
          null);
    }
    return ttl;
  }

  /** Returns the name of a client if it is valid. */
  static String clientId(String clientId) {
    String fault = fault("client id", clientId, MAX_CLIENT_ID);
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    return clientId;
  }

  /** Refuses a message that is larger than nodes accept. */
  static void message(Object message) {
    int bytes = message instanceof MessageLite sized ? sized.getSerializedSize() : 0;
    if (bytes > MAX_MESSAGE) {
      throw new RequestRefused(
          Reason.REASON_MESSAGE_TOO_LARGE,
          "message size [%d] exceeds the maximum [%d]".formatted(bytes, MAX_MESSAGE),
          null);
    }
  }

  /**
   * Returns the reason why a text is not 1 to {@code max} bytes of UTF-8 without control
   * characters.
   */
  private static @Nullable String fault(String what, String text, int maxBytes) {
    if (text.isEmpty()) {
      return what + " is empty";
    }
    int bytes = 0;
    for (int at = 0; at < text.length(); ) {
      int c = text.codePointAt(at);
      if (Character.isISOControl(c)) {
        return "%s has the control character [U+%04X] at [%d]".formatted(what, c, at);
      } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        return "%s has half a surrogate pair at [%d]".formatted(what, at);
      }
      bytes += utf8Length(c);
      at += Character.charCount(c);
    }
    return bytes > maxBytes
        ? "%s length [%d] exceeds the maximum [%d]".formatted(what, bytes, maxBytes)
        : null;
  }

  private static int utf8Length(int c) {
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  }
}
