package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Life;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Patience;
import io.holdfast.lock.Request;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.Waiter;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Those who left a line, and those who came. */
class LineChangeTest {

  @Test
  void who_left_and_who_came_are_told_in_the_order_of_the_line() {
    Seeds.each(2_000, LineChangeTest::compared);
  }

  private static void compared(SplittableRandom random) {
    List<Waiter> before = waiters(0, random.nextInt(12));
    List<Waiter> after = new ArrayList<>(before);
    after.removeIf(waiter -> random.nextInt(4) == 0);
    List<Waiter> gone = new ArrayList<>(before);
    gone.removeAll(after);
    List<Waiter> come = waiters(before.size(), random.nextInt(3));
    after.addAll(come);
    List<Waiter> left = new ArrayList<>();
    List<Waiter> came = new ArrayList<>();
    LineChange.compare(before, after, left::add, came::add);
    assertEquals(gone, left);
    assertEquals(come, came);
  }

  @Test
  void of_a_long_line_only_few_are_looked_at() {
    List<Waiter> before = waiters(0, 10_000);
    List<Waiter> after = new ArrayList<>(before);
    Waiter gone = after.remove(7_000);
    Waiter come = waiters(10_000, 1).get(0);
    after.add(come);
    Counted counted = new Counted(before);
    List<Waiter> left = new ArrayList<>();
    List<Waiter> came = new ArrayList<>();
    LineChange.compare(counted, after, left::add, came::add);
    assertEquals(List.of(gone), left);
    assertEquals(List.of(come), came);
    assertTrue(counted.looks < 50, () -> "looks: " + counted.looks);
  }

  private static final class Counted extends AbstractList<Waiter> {

    private final List<Waiter> all;
    private int looks;

    Counted(List<Waiter> all) {
      this.all = all;
    }

    @Override
    public Waiter get(int index) {
      looks++;
      return all.get(index);
    }

    @Override
    public int size() {
      return all.size();
    }
  }

  private static List<Waiter> waiters(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(
            i ->
                new Waiter(
                    HolderId.of(ClientId.NAMELESS, "w" + i),
                    new Request(new RequestId.Named(ClientId.NAMELESS, "r" + i), 1),
                    new Life.Own(new Ttl(1_000)),
                    new Patience(1_000),
                    Metadata.NONE,
                    /* since= */ 1))
        .toList();
  }
}
