package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The bound on the heap for a live key, as docs/journal.md has it. */
class JournalCostTest {

  @Test
  void a_live_key_costs_under_400_bytes_of_heap() {
    double bytes = JournalCost.heapPerKey(200_000);
    assertTrue(bytes < 400, () -> "a key costs [" + bytes + "] bytes");
    double accounted = JournalCost.accountedPerKey(200_000);
    System.out.printf("a key costs %.0f bytes of heap, accounted for %.0f%n", bytes, accounted);
    assertTrue(accounted > bytes, () -> "accounted for [" + accounted + "] of [" + bytes + "]");
    assertTrue(accounted < 2 * bytes, () -> "accounted for [" + accounted + "] of [" + bytes + "]");
  }
}
