package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.rules.Batch;
import io.holdfast.lock.rules.LockState;
import io.holdfast.lock.rules.WaiterQueue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndedWaitsTest {

  private final QueuedLock lock = new QueuedLock(10);
  private final EndedWaits waits = new EndedWaits();
  private final LeaseLife anna = lock.lease(1);
  private final LeaseLife bert = lock.lease(2);
  private final LeaseLife carl = lock.lease(3);
  private final LeaseLife other = lock.lease(4);
  private final LeaseLife another = lock.lease(5);
  private final LeaseLife third = lock.lease(6);

  EndedWaitsTest() {
    lock.enter(List.of(anna, anna, bert, carl).stream().map(QueuedLock::on).toList());
  }

  private List<LeaseLife> leases() {
    return waits.leases(queue(), lock.store.version());
  }

  private WaiterQueue queue() {
    return lock.state().waiters();
  }

  private void decided(LockState after) {
    Batch nothing = new Batch(after, List.of(), List.of(), List.of(), List.of(), Map.of());
    waits.decided(nothing, leases(), lock.store.version());
  }

  @Test
  void first_each_lease_of_the_queue_is_looked_at() {
    lock.end(other);
    assertEquals(List.of(), leases());
    lock.end(bert);
    assertEquals(List.of(bert), leases());
  }

  @Test
  void then_only_leases_that_ended_since_the_last_decision() {
    lock.end(other);
    decided(lock.state());
    assertEquals(List.of(), leases());
    lock.end(another);
    lock.end(bert);
    assertEquals(List.of(bert, another), leases(), "whether anybody waits by it or not");
    lock.end(third);
    lock.end(carl);
    assertEquals(List.of(bert, carl), leases(), "more have ended than the queue has");
  }

  @Test
  void a_lease_is_looked_at_until_nobody_waits_by_it() {
    decided(lock.state());
    lock.end(bert);
    decided(lock.state());
    assertEquals(List.of(bert), leases(), "its waiter is still there");
    LockState after =
        new LockState(
            lock.state().holders(),
            queue().without(queue().on(List.of(bert)).get(0).request().id()));
    decided(after);
    assertEquals(List.of(), leases());
  }
}
