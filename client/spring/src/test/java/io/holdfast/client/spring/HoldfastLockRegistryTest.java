package io.holdfast.client.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.NotSurelyHeld;
import io.holdfast.client.fixtures.FakeNode;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HoldfastLockRegistryTest {

  private final FakeNode node = new FakeNode();
  private final HoldfastClient client =
      HoldfastClient.builder().endpoint(node.endpoint()).ttl(Duration.ofSeconds(1)).connect();
  private final HoldfastClient other = HoldfastClient.connect(node.endpoint());
  private final HoldfastLockRegistry registry = new HoldfastLockRegistry(client, "jobs/");
  private final HoldfastLockRegistry elsewhere = new HoldfastLockRegistry(other, "jobs/");

  @AfterEach
  void close() {
    client.close();
    other.close();
    node.close();
  }

  @Test
  void a_thread_enters_again_and_the_last_exit_releases() {
    Lock lock = registry.obtain("a");
    assertSame(lock, registry.obtain("a"));
    assertTrue(lock.tryLock());
    assertTrue(lock.tryLock());
    lock.unlock();
    assertTrue(node.isHeld("jobs/a"));
    lock.unlock();
    assertFalse(node.isHeld("jobs/a"));
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
  }

  @Test
  void processes_exclude_each_other() throws Exception {
    Lock here = registry.obtain("a");
    Lock there = elsewhere.obtain("a");
    assertTrue(here.tryLock());
    assertFalse(there.tryLock());
    assertFalse(there.tryLock(20, TimeUnit.MILLISECONDS));
    here.unlock();
    assertTrue(there.tryLock(10, TimeUnit.SECONDS));
    there.unlock();
  }

  @Test
  void threads_exclude_each_other() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger count = new AtomicInteger();
    CompletableFuture<?>[] all =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          Lock lock = (i % 2 == 0 ? registry : elsewhere).obtain("a");
                          lock.lock();
                          try {
                            assertEquals(1, inside.incrementAndGet());
                            count.incrementAndGet();
                            inside.decrementAndGet();
                          } finally {
                            lock.unlock();
                          }
                        }))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(all).orTimeout(30, TimeUnit.SECONDS).join();
    assertEquals(8, count.get());
  }

  private Lock lost() throws InterruptedException {
    Lock lock = registry.obtain("a");
    assertTrue(lock.tryLock());
    node.endSessions(); // heard of with the next keepalive, and not before
    Lock there = elsewhere.obtain("a");
    assertTrue(there.tryLock(20, TimeUnit.SECONDS));
    long endsAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (lock.tryLock()) {
      lock.unlock();
      assertTrue(endsAt - System.nanoTime() > 0, "the loss is not noticed");
    }
    return lock;
  }

  @Test
  void a_lost_lock_is_not_entered_again() throws Exception {
    Lock lock = lost();
    assertFalse(lock.tryLock(10, TimeUnit.MILLISECONDS), "it is elsewhere");
    assertThrows(ConcurrentModificationException.class, lock::unlock);
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
    elsewhere.obtain("a").unlock();
    assertTrue(lock.tryLock(20, TimeUnit.SECONDS), "it can be locked again");
    lock.unlock();
    assertFalse(node.isHeld("jobs/a"));
  }

  @Test
  void a_lost_lock_does_not_keep_other_threads_out() throws Exception {
    Lock lock = lost();
    elsewhere.obtain("a").unlock();
    boolean entered =
        CompletableFuture.supplyAsync(
                () -> {
                  boolean isIn = lock.tryLock();
                  if (isIn) {
                    lock.unlock();
                  }
                  return isIn;
                })
            .get(20, TimeUnit.SECONDS);
    assertTrue(entered);
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // the unlocks are what is tested
  void a_blocking_entry_after_a_loss_says_so() throws Exception {
    Lock lock = registry.obtain("a");
    lock.lock();
    node.force("jobs/a");
    long endsAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    assertThrows(
        NotSurelyHeld.class,
        () -> {
          while (endsAt - System.nanoTime() > 0) {
            lock.lock();
            lock.unlock();
          }
        });
    assertThrows(ConcurrentModificationException.class, lock::unlock);
  }

  @Test
  void a_loss_is_told_at_the_end() {
    Lock lock = registry.obtain("a");
    assertTrue(lock.tryLock());
    node.force("jobs/a");
    assertThrows(ConcurrentModificationException.class, lock::unlock);
    assertTrue(lock.tryLock(), "it can be locked again");
    lock.unlock();
  }
}
