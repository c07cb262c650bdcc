package io.holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.scalatest.tools.Runner;

/** Runs Akka's own tests of journals, which are ScalaTest's. */
@Tag("slow")
class PersistenceTckTest {

  @Test
  void the_journal_passes_in_memory() {
    assertPasses(JournalSpecOnMemory.class);
  }

  @Test
  void the_journal_passes_over_three_members_of_a_real_group() {
    assertPasses(JournalSpecOnRaft.class);
  }

  private static void assertPasses(Class<?> spec) {
    assertTrue(Runner.run(new String[] {"-s", spec.getName(), "-oW"}), "see the output above");
  }
}
