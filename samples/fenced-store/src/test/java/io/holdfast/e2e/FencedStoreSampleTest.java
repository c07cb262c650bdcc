package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample as its user sees it: three nodes, a store, two clients, one of which is stopped. */
class FencedStoreSampleTest {

  @TempDir private Path folder;

  @Test
  void a_paused_client_is_refused_by_its_grant_and_by_the_store() throws Exception {
    Path out = folder.resolve("out.log");
    ProcessBuilder builder =
        new ProcessBuilder(Path.of("run").toAbsolutePath().toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(out.toFile()));
    builder.environment().putAll(CompiledNode.forLocalCluster(folder));
    builder.environment().put("HOLDFAST_SAMPLE_CLASSPATH", System.getProperty("runtime.classpath"));
    builder.environment().put("TMPDIR", folder.toString());
    Process process = builder.start();
    boolean hasEnded = process.waitFor(4, TimeUnit.MINUTES);
    String told = Files.readString(out);
    process.destroy();
    assertTrue(hasEnded, told);
    assertEquals(0, process.exitValue(), told);

    long late = token("client A: holds it, with token (\\d+)", told);
    long next = token("client B: holds it, with token (\\d+)", told);
    assertTrue(late < next, told);
    String afterwards = told.substring(told.indexOf("kill -CONT"));
    assertTrue(afterwards.contains("client A: ensureHeld refuses: "), told);
    assertTrue(afterwards.contains("DEADLINE_PASSED"), told);
    assertTrue(afterwards.contains("store:    refuses A: the token [" + late + "]"), told);
    assertTrue(afterwards.contains("store:    accepts B, token " + next), told);
    try (var left = Files.list(folder)) {
      assertEquals(2, left.count(), "besides the output and the node's start script");
    }
  }

  private static long token(String pattern, String text) {
    Matcher token = Pattern.compile(pattern).matcher(text);
    assertTrue(token.find(), text);
    return Long.parseLong(token.group(1));
  }
}
