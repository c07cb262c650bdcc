package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests when the watchdog of a shutdown ends the process. */
class WatchdogTest {

  private final CountDownLatch halted = new CountDownLatch(1);

  @Test
  void a_stop_that_takes_too_long_is_cut_off() throws Exception {
    Watchdog.ready(Duration.ofMillis(1), halted::countDown).begin();
    assertTrue(halted.await(30, TimeUnit.SECONDS));
  }

  @Test
  void a_node_that_runs_is_left_alone() throws Exception {
    Watchdog unused = Watchdog.ready(Duration.ofMillis(1), halted::countDown);
    assertFalse(halted.await(1_500, TimeUnit.MILLISECONDS));
  }

  @Test
  void a_process_is_over_20_s_after_its_stop_began() {
    assertEquals(1, Duration.ofSeconds(20).compareTo(Watchdog.PATIENCE.plusSeconds(1)));
  }
}
