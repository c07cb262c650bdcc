package io.holdfast.cli;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes values as JSON, each in one line. A {@code Long} becomes a text: such numbers exceed what
 * JSON's hold exactly everywhere.
 */
final class Json {

  private Json() {}

  static String of(Object value) {
    if (value instanceof Fields fields) {
      return of(fields.all());
    } else if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> quoted(String.valueOf(entry.getKey())) + ":" + of(entry.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    } else if (value instanceof Collection<?> all) {
      return all.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
    } else if (value instanceof Integer || value instanceof Boolean) {
      return value.toString();
    }
    return quoted(value.toString());
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        out.append('\\').append(each);
      } else {
        Shown.append(out, text, i);
      }
    }
    return out.append('"').toString();
  }
}
