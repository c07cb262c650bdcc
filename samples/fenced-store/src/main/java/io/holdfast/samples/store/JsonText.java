package io.holdfast.samples.store;

import java.util.HashMap;
import java.util.Map;

/**
 * The little JSON that the store speaks: objects of strings, whole numbers and objects. What is
 * anything else, or says one name twice, is refused.
 */
final class JsonText {

  private static final int MAX_DEPTH = 4;
  private static final String ESCAPED = "\"\\/bfnrt";
  private static final String MEANT = "\"\\/\b\f\n\r\t";

  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  /**
   * Reads an object, whose values are strings, longs, and maps of the same.
   *
   * @throws IllegalArgumentException if the text is no such object
   */
  static Map<String, Object> object(String text) {
    JsonText json = new JsonText(text);
    json.skipBlanks();
    Map<String, Object> object = json.object(1);
    json.skipBlanks();
    if (json.at < text.length()) {
      throw json.wrong("the end");
    }
    return object;
  }

  /** A string as JSON has it. */
  static String quoted(String plain) {
    StringBuilder json = new StringBuilder(plain.length() + 2).append('"');
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c) || c == 0x7f) {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  private Map<String, Object> object(int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("objects within objects, deeper than [" + MAX_DEPTH + "]");
    }
    expect('{');
    Map<String, Object> fields = new HashMap<>();
    if (next('}')) {
      return fields;
    }
    do {
      skipBlanks();
      String name = string();
      expect(':');
      skipBlanks();
      if (fields.put(name, value(depth)) != null) {
        throw new IllegalArgumentException("the field [" + name + "] stands there twice");
      }
    } while (next(','));
    expect('}');
    return fields;
  }

  private Object value(int depth) {
    char first = at < text.length() ? text.charAt(at) : ' ';
    if (first == '"') {
      return string();
    } else if (first == '{') {
      return object(depth + 1);
    } else if (first == '-' || isDigit(first)) {
      return number();
    }
    throw wrong("a string, a whole number or an object");
  }

  private long number() {
    int begin = at++;
    while (at < text.length() && "0123456789.eE+-".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return Long.parseLong(text.substring(begin, at));
    } catch (NumberFormatException e) {
      at = begin;
      throw wrong("a whole number of 64 bits");
    }
  }

  private String string() {
    expect('"');
    StringBuilder plain = new StringBuilder();
    while (at < text.length() && text.charAt(at) >= ' ') {
      char c = text.charAt(at++);
      if (c == '"') {
        return plain.toString();
      }
      plain.append(c == '\\' ? escaped() : c);
    }
    throw wrong("the end of a string");
  }

  private char escaped() {
    if (text.startsWith("u", at) && at + 5 <= text.length()) {
      String code = text.substring(at + 1, at + 5);
      if (code.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
        at += 5;
        return (char) Integer.parseInt(code, 16);
      }
    }
    int which = at < text.length() ? ESCAPED.indexOf(text.charAt(at)) : -1;
    if (which < 0) {
      throw wrong("what stands behind a backslash");
    }
    at++;
    return MEANT.charAt(which);
  }

  private void expect(char wanted) {
    if (!next(wanted)) {
      throw wrong("[" + wanted + "]");
    }
  }

  private boolean next(char wanted) {
    skipBlanks();
    boolean isThere = at < text.length() && text.charAt(at) == wanted;
    at += isThere ? 1 : 0;
    return isThere;
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException("at [" + at + "], where " + expected + " was expected");
  }
}
