package io.holdfast.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.fixtures.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares random changes of deadlines with a plain list of them. */
class DeadlinesTest {

  @Test
  void it_agrees_with_a_list_of_deadlines() {
    Seeds.each(300, DeadlinesTest::agree);
  }

  private static void agree(SplittableRandom random) {
    long now = random.nextLong();
    Deadlines<Integer> deadlines = new Deadlines<>(1_000);
    Map<Integer, Long> model = new HashMap<>();
    for (int step = 0; step < 200; step++) {
      int what = random.nextInt(10);
      switch (random.nextInt(6)) {
        case 4, 5 -> {
          long at = now + random.nextInt(500);
          if (!deadlines.isDue(what)) {
            model.computeIfPresent(what, (same, before) -> before - at > 0 ? at : before);
          }
          deadlines.atMost(what, at);
        }
        case 0, 1 -> {
          long at = now + random.nextInt(500);
          if (!deadlines.isDue(what)) {
            model.merge(what, at, (before, after) -> after - before > 0 ? after : before);
          }
          deadlines.atLeast(what, at);
        }
        case 2 -> {
          deadlines.remove(what);
          model.remove(what);
        }
        default -> now += random.nextInt(300);
      }
      List<Integer> expected = new ArrayList<>();
      for (Map.Entry<Integer, Long> entry : model.entrySet()) {
        if (entry.getValue() - now <= 0) {
          expected.add(entry.getKey());
          entry.setValue(now + 1_000);
        }
      }
      List<Integer> due = new ArrayList<>(deadlines.due(now, Integer.MAX_VALUE));
      due.sort(null);
      expected.sort(null);
      assertEquals(expected, due);
      assertEquals(model.size(), deadlines.size());
    }
  }
}
