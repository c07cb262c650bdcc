package io.holdfast.bench.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.bench.Bench;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The benchmark for a moment: what it says of speed is not looked at. */
class LocksProof {

  @TempDir Path directory;

  @Test
  void nothing_wrong_is_answered_in_any_way_to_ask() {
    assertHolds("--streams one --unary --hot --waiters 8 --memory 200");
  }

  @Test
  void nothing_wrong_is_answered_by_the_owner_of_each_key() {
    assertHolds("--streams owner --profile");
  }

  private void assertHolds(String more) {
    StringWriter out = new StringWriter();
    CommandLine bench = Bench.commandLine().setOut(new PrintWriter(out));
    String line = "locks --workers 4 --seconds 1 --warm-up 1 --keys 20 --heap 512m " + more;
    int code = bench.execute((line + " --directory " + directory).split(" ", -1));
    assertEquals(0, code, out::toString);
    assertFalse(out.toString().contains("failed"), out::toString);
  }
}
