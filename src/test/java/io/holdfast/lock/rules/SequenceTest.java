package io.holdfast.lock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares random changes of a sequence with those of a list. Old versions stay, and no path is
 * long.
 */
class SequenceTest {

  @Test
  void it_agrees_with_a_list_and_old_versions_stay() {
    Seeds.each(200, SequenceTest::agrees);
  }

  private static void agrees(SplittableRandom random) {
    List<Integer> model = new ArrayList<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      model.add(i);
    }
    Sequence<Integer> sequence = Sequence.of(model);
    List<Sequence<Integer>> versions = new ArrayList<>();
    List<List<Integer>> contents = new ArrayList<>();
    int growing = random.nextInt(4);
    for (int step = 0; step < 200; step++) {
      versions.add(sequence);
      contents.add(List.copyOf(model));
      int kind = random.nextInt(8);
      if (kind < 2 + growing || model.isEmpty()) {
        int index = random.nextInt(model.size() + 1);
        model.add(index, step);
        sequence = sequence.with(index, step);
      } else if (kind == 7) {
        int index = random.nextInt(model.size());
        model.set(index, -step);
        sequence = sequence.replaced(index, -step);
      } else {
        int index = random.nextInt(model.size());
        model.remove(index);
        sequence = sequence.without(index);
      }
      isThis(model, sequence);
    }
    for (int i = 0; i < versions.size(); i++) {
      isThis(contents.get(i), versions.get(i));
    }
  }

  private static void isThis(List<Integer> model, Sequence<Integer> sequence) {
    List<Integer> content = new ArrayList<>();
    sequence.forEach(content::add);
    assertEquals(model, content);
    assertEquals(model.size(), sequence.size());
    assertEquals(model.isEmpty(), sequence.isEmpty());
    for (int i = 0; i < model.size(); i++) {
      assertEquals(model.get(i), sequence.get(i));
    }
  }

  @Test
  void leading_elements_are_counted() {
    Sequence<Integer> even = Sequence.of(IntStream.range(0, 50).map(i -> 2 * i).boxed().toList());
    for (int i = -1; i < 102; i++) {
      int bound = i;
      assertEquals(Math.min(50, (i + 1) / 2), even.countWhile(each -> each < bound));
    }
  }

  @Test
  void an_index_out_of_bounds_is_refused() {
    Sequence<Integer> one = Sequence.of(List.of(7));
    for (int index : new int[] {-1, 1}) {
      assertThrows(IndexOutOfBoundsException.class, () -> one.get(index));
      assertThrows(IndexOutOfBoundsException.class, () -> one.without(index));
      assertThrows(IndexOutOfBoundsException.class, () -> one.replaced(index, 8));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> Sequence.empty().without(0));
  }

  /**
   * Counts steps after use as a queue, as a stack, and with holes, which would degrade a plain tree
   * to a list.
   */
  @Test
  void no_path_is_long_after_any_order_of_changes() {
    Sequence<Integer> queue = Sequence.empty();
    Sequence<Integer> stack = Sequence.empty();
    for (int i = 0; i < 30_000; i++) {
      queue = queue.with(queue.size(), i);
      stack = stack.with(0, -i);
      if (queue.size() > 10_000) {
        queue = queue.without(0);
        stack = stack.without(stack.size() - 1);
      }
    }
    isShallow(queue);
    isShallow(stack);
    Sequence<Integer> middle = Sequence.empty();
    for (int i = 0; i < 10_000; i++) {
      middle = middle.with(middle.size() / 2, i);
    }
    isShallow(middle);
    while (queue.size() > 100) {
      for (int at = queue.size() * 3 / 4; at > queue.size() / 4; at -= 2) {
        queue = queue.without(at);
      }
      isShallow(queue);
    }
  }

  /** Visits the path to each element. */
  private static void isShallow(Sequence<Integer> sequence) {
    Map<Integer, Integer> places = new HashMap<>();
    for (int each : sequence) {
      places.put(each, places.size());
    }
    int most = 0;
    for (int place = 0; place < sequence.size(); place++) {
      int[] steps = new int[1];
      int wanted = place;
      int found =
          sequence.countWhile(
              other -> {
                steps[0]++;
                return places.getOrDefault(other, 0) < wanted;
              });
      assertEquals(place, found);
      most = Math.max(most, steps[0]);
    }
    int steps = most;
    double bound = 2.5 * Math.log(sequence.size() + 1) / Math.log(2) + 1;
    assertTrue(steps <= bound, () -> steps + " steps to one of " + sequence.size());
  }
}
