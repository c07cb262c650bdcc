package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.client.fixtures.Project;
import java.lang.reflect.Method;
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

/** The Java programs of the documents compile, and take and give back their locks. */
final class SnippetsTest {

  private static final Pattern JAVA =
      Pattern.compile("```java\\n(.*?class (\\w+) .*?)```", Pattern.DOTALL);
  private static final List<String> PAGES = List.of("README.md", "docs/protocol.md");

  @TempDir private Path folder;

  @Test
  void every_program_compiles_and_runs() throws Exception {
    List<String> locks = new ArrayList<>();
    int programs = 0;
    for (String page : PAGES) {
      String text = Files.readString(Project.file(page));
      programs += text.split("```java", -1).length - 1;
      Matcher java = JAVA.matcher(text);
      while (java.find()) {
        try (FakeNode node = new FakeNode()) {
          run(java.group(2), java.group(1).replaceAll("127\\.0\\.0\\.1:74\\d\\d", node.endpoint()));
          String key = node.asked.remove().getLock().getKey();
          assertFalse(node.isHeld(key), key);
          locks.add(key);
        }
      }
    }
    assertEquals(programs, locks.size(), "each is a whole program");
    assertTrue(locks.contains("demo"), locks::toString);
  }

  private void run(String name, String program) throws Exception {
    Path file = Files.writeString(folder.resolve(name + ".java"), program);
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
    assertEquals(0, result, program);
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      Method main = loader.loadClass(name).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) new String[0]);
    }
  }
}
