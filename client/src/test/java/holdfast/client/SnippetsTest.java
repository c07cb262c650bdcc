package holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.client.fixtures.FakeNode;
import holdfast.client.fixtures.Project;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of the documents compiles, and runs against a node. */
public final class SnippetsTest {

  private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
  private static final List<String> PAGES = List.of("README.md", "docs/protocol.md");

  /** What the store of an example has been told. */
  public static final List<String> WRITTEN = new ArrayList<>();

  @TempDir private Path folder;

  @Test
  void every_snippet_compiles_and_runs() throws Exception {
    List<String> snippets = new ArrayList<>();
    for (String page : PAGES) {
      Matcher java = JAVA.matcher(Files.readString(Project.file(page)));
      while (java.find()) {
        snippets.add(java.group(1));
      }
    }
    assertFalse(snippets.isEmpty());
    try (FakeNode node = new FakeNode()) {
      for (int i = 0; i < snippets.size(); i++) {
        run("Snippet" + i, snippets.get(i).replaceAll("127\\.0\\.0\\.1:74\\d\\d", node.endpoint()));
      }
      assertTrue(WRITTEN.contains("42 paid 1"), WRITTEN::toString);
      assertFalse(node.isHeld("orders/42"));
    }
  }

  private void run(String name, String snippet) throws Exception {
    String source =
        """
        import holdfast.client.*;
        import java.time.Duration;
        public class %s {
          static class orders {
            static void write(int id, String what, long token) {
              SnippetsTest.WRITTEN.add(id + " " + what + " " + token);
            }
          }
          public static void run() throws Exception {
        %s
          }
        }
        """
            .formatted(name, snippet);
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
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
    assertEquals(0, result, snippet);
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      loader.loadClass(name).getMethod("run").invoke(null);
    }
  }
}
