package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README, run as the README says, against a node. */
class ReadmeTest {

  private static final Pattern PROGRAM = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void the_java_program_takes_a_lock() throws Exception {
    Matcher program = PROGRAM.matcher(Files.readString(Path.of("README.md")));
    assertTrue(program.find());
    try (NodeUnderTest node = NodeUnderTest.serving(folder)) {
      assertTrue(program.group(1).contains("127.0.0.1:7400"));
      Path source = folder.resolve("Demo.java");
      Files.writeString(source, program.group(1).replace("127.0.0.1:7400", node.grpcAddress()));
      Path out = folder.resolve("demo.log");
      Process demo =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  source.toString())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      boolean hasEnded = demo.waitFor(60, TimeUnit.SECONDS);
      demo.destroyForcibly();
      String told = Files.readString(out);
      assertTrue(hasEnded, told);
      assertEquals(0, demo.exitValue(), told);
      assertTrue(told.matches("may write, with token [1-9]\\d*\\n"), told);
    }
  }
}
