package io.holdfast.lock;

import java.nio.charset.StandardCharsets;

/** Checks text that clients choose: its size in UTF-8, and that it has no control characters. */
final class Text {

  private Text() {}

  /** Returns {@code text} if it is 1 to {@code maxBytes} bytes of valid UTF-8 without controls. */
  static String require(String name, String text, int maxBytes) {
    if (text.isEmpty()) {
      throw OutOfBound.ill(name + " is empty");
    }
    // A character is at least one byte: the cheap test keeps the exact one from reading megabytes.
    if (text.length() > maxBytes || utf8Length(text) > maxBytes) {
      throw OutOfBound.above(name + " length", utf8Length(text), maxBytes);
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        throw OutOfBound.ill(
            "%s has the control character [U+%04X] at [%d]".formatted(name, (int) c, i));
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw OutOfBound.ill(name + " has half a surrogate pair at [" + i + "]");
      }
    }
    return text;
  }

  static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
