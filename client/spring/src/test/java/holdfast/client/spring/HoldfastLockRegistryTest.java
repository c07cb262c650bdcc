package holdfast.client.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.client.HoldfastClient;
import holdfast.client.fixtures.FakeNode;
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
  private final HoldfastClient client = HoldfastClient.connect(node.endpoint());
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
