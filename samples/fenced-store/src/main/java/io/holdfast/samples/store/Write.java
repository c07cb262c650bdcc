package io.holdfast.samples.store;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to the store to keep data.
 *
 * @param clientId the id of the client that asks
 * @param key the lock that guards the data, and the name the data is kept under
 * @param fencingToken the token of the client's grant of the lock
 * @param data the new data
 */
record Write(String clientId, String key, long fencingToken, String data) {

  private static final int MAX_CLIENT_ID = 128;
  private static final int MAX_KEY_BYTES = 512;
  private static final int MAX_DATA = 32 * 1024;

  Write {
    requireName("clientID", clientId, clientId.length(), MAX_CLIENT_ID);
    requireName("key", key, key.getBytes(StandardCharsets.UTF_8).length, MAX_KEY_BYTES);
    if (fencingToken < 1) {
      throw new IllegalArgumentException("value [" + fencingToken + "] is not positive");
    } else if (data.length() > MAX_DATA) {
      throw new IllegalArgumentException(
          "data of [%d] characters exceeds the maximum [%d]".formatted(data.length(), MAX_DATA));
    }
  }

  private static void requireName(String what, String name, int size, int max) {
    if (size < 1 || size > max) {
      throw new IllegalArgumentException(
          "%s has a size of [%d], which is not within [1] and [%d]".formatted(what, size, max));
    } else if (name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(what + " has control characters");
    }
  }

  /**
   * Reads {@code {"clientID": …, "fencingToken": {"key": …, "value": …}, "data": …}}. The value may
   * be a number or, for languages whose numbers have no 64 bits, a string of digits.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  static Write read(String json) {
    Map<String, Object> write = JsonText.object(json);
    requireFields(write, Set.of("clientID", "fencingToken", "data"));
    if (!(write.get("fencingToken") instanceof Map<?, ?> token)) {
      throw new IllegalArgumentException("fencingToken is no object");
    }
    requireFields(token, Set.of("key", "value"));
    return new Write(
        string("clientID", write.get("clientID")),
        string("key", token.get("key")),
        number(token.get("value")),
        string("data", write.get("data")));
  }

  String toJson() {
    return "{\"clientID\": %s, \"fencingToken\": {\"key\": %s, \"value\": %d}, \"data\": %s}"
        .formatted(
            JsonText.quoted(clientId), JsonText.quoted(key), fencingToken, JsonText.quoted(data));
  }

  private static void requireFields(Map<?, ?> object, Set<String> names) {
    if (!object.keySet().equals(names)) {
      throw new IllegalArgumentException("the fields are not exactly " + names);
    }
  }

  private static String string(String name, @Nullable Object value) {
    if (value instanceof String string) {
      return string;
    }
    throw new IllegalArgumentException(name + " is no string");
  }

  private static long number(@Nullable Object value) {
    if (value instanceof Long number) {
      return number;
    }
    try {
      return Long.parseLong(string("value", value));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("value is no whole number of 64 bits");
    }
  }
}
