package io.holdfast.simulation.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PatchTest {

  private static final String DIFF =
      "--- a/A.java\n+++ b/A.java\n@@ -7,3 +7,3 @@\n one\n-two\n+2\n three\n";

  @Test
  void a_hunk_applies_where_its_lines_stand() {
    assertEquals("0\none\n2\nthree\n", applied("0\none\ntwo\nthree\n"));
  }

  @Test
  void a_hunk_that_fits_nowhere_or_twice_is_refused() {
    assertTrue(refused("one\nthree\n").contains("[A.java] has these lines nowhere"));
    assertTrue(refused("one\ntwo\nthree\none\ntwo\nthree\n").contains("twice"));
  }

  @Test
  void several_hunks_and_files_apply_in_their_order() {
    List<Patch> both =
        Patch.parse(
            DIFF + "@@ -20 +20,2 @@\n+more\n last\n--- a/B.java\n+++ b/B.java\n@@ @@\n-b\n");
    assertEquals(List.of("A.java", "B.java"), both.stream().map(Patch::file).toList());
    assertEquals("one\n2\nthree\nmore\nlast\n", both.get(0).applyTo("one\ntwo\nthree\nlast\n"));
    assertEquals("a\n", both.get(1).applyTo("a\nb\n"));
  }

  private static String applied(String text) {
    return Patch.parse(DIFF).get(0).applyTo(text);
  }

  private static String refused(String text) {
    return String.valueOf(
        assertThrows(IllegalStateException.class, () -> applied(text)).getMessage());
  }
}
