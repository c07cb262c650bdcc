package io.holdfast.watch;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the subscribers of a key. That costs the key's length and the number of those found, no
 * more.
 */
final class Subscriptions<T> {

  private final Map<String, Set<T>> exact = new HashMap<>();
  private final PrefixTree<T> prefixes = new PrefixTree<>();

  void add(Selector selector, T subscriber) {
    if (selector.prefix()) {
      prefixes.add(selector.text(), subscriber);
    } else {
      exact.computeIfAbsent(selector.text(), key -> new LinkedHashSet<>(4)).add(subscriber);
    }
  }

  void remove(Selector selector, T subscriber) {
    if (selector.prefix()) {
      prefixes.remove(selector.text(), subscriber);
      return;
    }
    Set<T> subscribers = exact.get(selector.text());
    if (subscribers != null && subscribers.remove(subscriber) && subscribers.isEmpty()) {
      exact.remove(selector.text());
    }
  }

  void match(String key, Consumer<? super T> found) {
    Set<T> subscribers = exact.get(key);
    if (subscribers != null) {
      subscribers.forEach(found);
    }
    prefixes.match(key, found);
  }

  boolean isEmpty() {
    return exact.isEmpty() && prefixes.isEmpty();
  }
}
