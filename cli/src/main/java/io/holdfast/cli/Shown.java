package io.holdfast.cli;

/**
 * Text as a terminal or a page of text may show it. Whoever chooses a key may put characters into
 * it that move the cursor, turn the direction of writing, or cannot be seen: these are written as
 * their numbers.
 */
final class Shown {

  private Shown() {}

  /** The text, with what would not be seen as it is written as an escape. */
  static String text(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      append(out, text, i);
    }
    return out.toString();
  }

  /** Appends one char, which is a half of a character if that is beyond 16 bits. */
  static void append(StringBuilder out, String text, int at) {
    char each = text.charAt(at);
    if (isHidden(whole(text, at))) {
      out.append("\\u%04x".formatted((int) each));
    } else {
      out.append(each);
    }
  }

  private static int whole(String text, int at) {
    boolean isSecond =
        at > 0
            && Character.isLowSurrogate(text.charAt(at))
            && Character.isHighSurrogate(text.charAt(at - 1));
    return text.codePointAt(isSecond ? at - 1 : at);
  }

  private static boolean isHidden(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT, // those that turn the direction, too
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
