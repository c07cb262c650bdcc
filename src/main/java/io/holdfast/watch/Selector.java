package io.holdfast.watch;

/**
 * The locks that a watch is about: one key, or all with a prefix.
 *
 * @param text a key, or the beginning of keys; empty with {@code prefix}: all keys
 */
public record Selector(String text, boolean prefix) {

  public static Selector key(String key) {
    return new Selector(key, false);
  }

  public static Selector prefix(String prefix) {
    return new Selector(prefix, true);
  }

  public boolean matches(String key) {
    return prefix ? key.startsWith(text) : key.equals(text);
  }
}
