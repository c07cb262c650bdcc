package io.holdfast.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares reported leavers and newcomers with a plain computation. */
class QueueDiffTest {

  @Test
  void leavers_and_newcomers_are_reported_in_queue_order() {
    Seeds.each(2_000, QueueDiffTest::compared);
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
    QueueDiff.compare(before, after, left::add, came::add);
    assertEquals(gone, left);
    assertEquals(come, came);
  }

  @Test
  void a_long_queue_is_compared_with_few_looks() {
    List<Waiter> before = waiters(0, 10_000);
    List<Waiter> after = new ArrayList<>(before);
    Waiter gone = after.remove(7_000);
    Waiter come = waiters(10_000, 1).get(0);
    after.add(come);
    Counted counted = new Counted(before);
    List<Waiter> left = new ArrayList<>();
    List<Waiter> came = new ArrayList<>();
    QueueDiff.compare(counted, after, left::add, came::add);
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
                    new RequestHeader(new RequestId.Named(ClientId.NAMELESS, "r" + i), 1),
                    new Lifetime.Own(new Ttl(1_000)),
                    new WaitTimeout(1_000),
                    Metadata.NONE,
                    /* since= */ 1))
        .toList();
  }
}
