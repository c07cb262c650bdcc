package io.holdfast.raft.core;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DiskLagTest {

  private static final long LEAST_MS = 100;
  private static final long WITHIN_MS = 500;

  private final DiskLag lag = new DiskLag();
  private long nowMs;
  private long index;

  @Test
  void a_disk_that_is_late_again_and_again_lags() {
    late(7);
    assertFalse(lag.isLasting(nowMs, WITHIN_MS));
    late(1);
    assertTrue(lag.isLasting(nowMs, WITHIN_MS));
  }

  @Test
  void one_entry_in_time_ends_it() {
    late(20);
    lag.durable(++index, /* isCommitted= */ false, nowMs, LEAST_MS);
    assertFalse(lag.isLasting(nowMs, WITHIN_MS));
  }

  @Test
  void an_idle_disk_is_not_judged_by_its_past() {
    late(20);
    assertTrue(lag.isLasting(nowMs + WITHIN_MS, WITHIN_MS));
    assertFalse(lag.isLasting(nowMs + WITHIN_MS + 1, WITHIN_MS));
  }

  private void late(int times) {
    for (int i = 0; i < times; i++) {
      lag.committed(++index, nowMs);
      nowMs += LEAST_MS;
      lag.durable(index, /* isCommitted= */ true, nowMs, LEAST_MS);
    }
  }
}
