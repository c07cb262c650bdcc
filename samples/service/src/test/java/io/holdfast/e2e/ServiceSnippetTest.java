package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java in the sample's document compiles. */
class ServiceSnippetTest {

  private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @Test
  void the_snippet_compiles(@TempDir Path folder) throws Exception {
    Matcher java = JAVA.matcher(Files.readString(Path.of("README.md")));
    assertTrue(java.find());
    String source =
        """
        import akka.actor.typed.ActorSystem;
        import akka.actor.typed.javadsl.Behaviors;
        import io.holdfast.service.HoldfastService;
        import java.time.Duration;
        class Snippet {
          static class orders {
            static void write(int id, String what, long token) {}
          }
          static void run() {
        %s
          }
        }
        """
            .formatted(java.group(1));
    Path file = Files.writeString(folder.resolve("Snippet.java"), source);
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                file.toString());
    assertEquals(0, result);
  }
}
