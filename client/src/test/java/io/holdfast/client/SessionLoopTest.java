package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.InsecureChannelCredentials;
import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.client.session.LockAttempt;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fault in one turn of the session's thread is that turn's alone. */
@Timeout(30)
final class SessionLoopTest {

  private static final String THREAD = "holdfast-session";

  /** The next look at the clock by the session's thread fails. */
  private final AtomicBoolean isClockBroken = new AtomicBoolean();

  private final FakeNode node = new FakeNode();
  private final ClientSettings settings =
      new ClientSettings(
          List.of(Endpoint.parse(node.endpoint())),
          "test",
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          InsecureChannelCredentials.create(),
          null,
          List.of(),
          null,
          ForkJoinPool.commonPool(),
          ClientEvents.NONE,
          this::clock,
          InetAddress::getAllByName);
  private final NodeChannels channels = new NodeChannels(settings);
  private final SessionLoop loop =
      new SessionLoop(channels, new KnownNodes(settings.endpoints(), settings.names()), settings);

  private long clock() {
    if (Thread.currentThread().getName().equals(THREAD)
        && isClockBroken.compareAndSet(true, false)) {
      throw new IllegalStateException("the clock is broken");
    }
    return System.nanoTime();
  }

  @BeforeEach
  void start() {
    loop.start();
  }

  @AfterEach
  void close() {
    loop.post((core, now) -> core.closeNow(now));
    channels.close();
    node.close();
  }

  private CompletableFuture<Grant> acquire(String key) {
    return Acquisition.start(loop, settings, new LockAttempt.Terms(key, "h", 0, 0));
  }

  @Test
  void a_turn_that_fails_is_told_to_its_caller_alone() throws Exception {
    Grant held = acquire("a").get(10, TimeUnit.SECONDS);
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    IllegalStateException fault = new IllegalStateException("a fault");
    loop.post(
        (core, now) -> {
          throw fault;
        },
        told::complete);
    assertSame(fault, told.get(10, TimeUnit.SECONDS));
    assertTrue(acquire("b").get(10, TimeUnit.SECONDS).isSurelyHeld());
    assertTrue(held.isSurelyHeld());
    assertTrue(held.release());
    assertFalse(loop.ended().isDone());
  }

  @Test
  void an_acquisition_whose_turn_fails_ends_and_the_next_does_not() throws Exception {
    Grant held = acquire("a").get(10, TimeUnit.SECONDS);
    isClockBroken.set(true);
    while (isClockBroken.get()) { // by whichever look is next: of a turn, or between two
      CompletableFuture<Grant> next = acquire("b");
      try {
        next.get(10, TimeUnit.SECONDS).close();
      } catch (ExecutionException e) {
        assertTrue(String.valueOf(e.getCause()).contains("the clock is broken"), e::toString);
      }
    }
    assertTrue(acquire("c").get(10, TimeUnit.SECONDS).isSurelyHeld());
    assertTrue(held.isSurelyHeld());
  }

  @Test
  void a_turn_after_the_end_that_fails_is_told_to_its_caller() {
    loop.post((core, now) -> core.closeNow(now));
    loop.ended().join();
    assertThrows(ExecutionException.class, () -> acquire("b").get(10, TimeUnit.SECONDS));
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    loop.post(
        (core, now) -> {
          throw new IllegalStateException("a fault");
        },
        told::complete);
    assertTrue(told.isDone());
  }
}
