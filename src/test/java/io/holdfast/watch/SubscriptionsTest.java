package io.holdfast.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A key finds exactly those who watch it or a prefix of it. */
class SubscriptionsTest {

  private record Watcher(int id, Selector selector) {}

  private final Subscriptions<Integer> subscriptions = new Subscriptions<>();

  @Test
  void prefixes_that_part_within_an_edge_are_found_apart() {
    subscriptions.add(Selector.prefix("orders/1"), 1);
    subscriptions.add(Selector.prefix("orders/2"), 2);
    subscriptions.add(Selector.prefix("orders"), 3);
    subscriptions.add(Selector.prefix(""), 4);
    subscriptions.add(Selector.key("orders/1"), 5);
    assertEquals(List.of(1, 3, 4, 5), found("orders/1"));
    assertEquals(List.of(1, 3, 4), found("orders/17"));
    assertEquals(List.of(3, 4), found("orders/"));
    assertEquals(List.of(4), found("order"));
  }

  @Test
  void keys_and_prefixes_come_and_go_as_a_naive_search_says() {
    Seeds.each(
        200,
        random -> {
          Subscriptions<Integer> tree = new Subscriptions<>();
          List<Watcher> naive = new ArrayList<>();
          for (int i = 0; i < 300; i++) {
            if (naive.isEmpty() || random.nextInt(5) < 3) {
              Selector selector = new Selector(text(random), random.nextInt(4) > 0);
              tree.add(selector, i);
              naive.add(new Watcher(i, selector));
            } else {
              Watcher gone = naive.remove(random.nextInt(naive.size()));
              tree.remove(gone.selector(), gone.id());
            }
            String key = text(random);
            assertEquals(
                naive.stream()
                    .filter(watcher -> watcher.selector().matches(key))
                    .map(Watcher::id)
                    .sorted()
                    .toList(),
                found(tree, key),
                key);
          }
          naive.forEach(watcher -> tree.remove(watcher.selector(), watcher.id()));
          assertTrue(tree.isEmpty());
        });
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(6); length > 0; length--) {
      text.append((char) ('a' + random.nextInt(2)));
    }
    return text.toString();
  }

  private List<Integer> found(String key) {
    return found(subscriptions, key);
  }

  private static List<Integer> found(Subscriptions<Integer> subscriptions, String key) {
    List<Integer> found = new ArrayList<>();
    subscriptions.match(key, found::add);
    return found.stream().sorted().toList();
  }
}
