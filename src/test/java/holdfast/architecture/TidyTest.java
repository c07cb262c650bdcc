package holdfast.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Finds what a careful reader would find out of place. */
class TidyTest {

  private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules", "data");
  private static final Pattern LEFT_OVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  private static final Pattern HOST =
      Pattern.compile("https?://[\\w.-]*(maven|sonatype|npm|debian|jcenter|bintray)[\\w.-]*");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");

  @Test
  void nothing_is_left_for_later() {
    assertEquals(List.of(), lines(ours(), (file, line) -> LEFT_OVER.matcher(line).find()));
  }

  @Test
  void no_registry_is_named() {
    assertEquals(List.of(), lines(ours(), (file, line) -> HOST.matcher(line).find()));
  }

  @Test
  void only_what_talks_to_people_prints() {
    assertEquals(
        List.of(),
        lines(
            files(Path.of("src", "main"), ".java").filter(f -> !f.endsWith(Path.of("Main.java"))),
            (file, line) -> line.contains("System.out") || line.contains("System.err")));
  }

  @Test
  void no_test_sleeps() {
    assertEquals(List.of(), lines(ours(), (file, line) -> line.contains("Thread." + "sleep(")));
  }

  @Test
  void links_between_documents_resolve() {
    List<String> broken = new ArrayList<>();
    files(Path.of(""), ".md")
        .forEach(
            file -> {
              Matcher link = LINK.matcher(read(file));
              while (link.find()) {
                String target = link.group(1);
                if (!target.contains("://")
                    && !Files.exists(file.resolveSibling(target).normalize())) {
                  broken.add(file + ": " + target);
                }
              }
            });
    assertEquals(List.of(), broken);
  }

  @Test
  void every_test_that_a_document_names_is_there() {
    Map<String, String> tests = new HashMap<>();
    files(Path.of(""), ".java")
        .forEach(
            file -> tests.merge(String.valueOf(file.getFileName()), read(file), String::concat));
    List<String> missing = new ArrayList<>();
    files(Path.of("docs"), ".md")
        .forEach(
            file -> {
              Matcher named = TEST.matcher(read(file));
              while (named.find()) {
                String test = tests.getOrDefault(named.group(1) + ".java", "");
                if (!test.contains("void " + named.group(2) + "(")) {
                  missing.add(file + ": " + named.group());
                }
              }
            });
    assertEquals(List.of(), missing);
  }

  @Test
  void a_document_has_one_title() {
    List<Path> untitled =
        files(Path.of(""), ".md")
            .filter(
                file ->
                    read(file)
                            .replaceAll("(?s)```.*?```", "")
                            .lines()
                            .filter(line -> line.startsWith("# "))
                            .count()
                        != 1)
            .toList();
    assertEquals(List.of(), untitled);
  }

  @Test
  void every_setting_is_documented() {
    String document = read(Path.of("docs", "configuration.md"));
    List<String> missing =
        ConfigFactory.defaultReference().getConfig("holdfast").entrySet().stream()
            .map(entry -> "holdfast." + entry.getKey())
            .filter(key -> !document.contains("`" + key + "`"))
            .sorted()
            .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void every_exit_code_is_documented() {
    String document = read(Path.of("docs", "operations.md"));
    Matcher code =
        Pattern.compile("^  ([A-Z_]+)\\((\\d+)\\)", Pattern.MULTILINE)
            .matcher(read(Path.of("src/main/java/holdfast/server/ExitCode.java")));
    int codes = 0;
    while (code.find()) {
      codes++;
      String row = "| " + code.group(2) + " | " + code.group(1) + " |";
      assertTrue(document.contains(row), () -> "docs/operations.md has no row " + row);
    }
    assertTrue(codes > 3, "too few codes found: " + codes);
  }

  private static Stream<Path> ours() {
    return Stream.of(".java", ".scala", ".sbt", ".proto", ".conf", ".md", ".xml", "sbt", "run")
        .flatMap(ending -> files(Path.of(""), ending));
  }

  private static List<String> lines(Stream<Path> files, BiPredicate<Path, String> wanted) {
    List<String> found = new ArrayList<>();
    files.forEach(
        file ->
            read(file)
                .lines()
                .filter(line -> wanted.test(file, line))
                .forEach(line -> found.add(file + ": " + line.strip())));
    return found;
  }

  private static Stream<Path> files(Path root, String ending) {
    try (Stream<Path> tree = Files.walk(root)) {
      return tree
          .filter(
              file -> {
                for (Path part : file) {
                  if (NOT_OURS.contains(part.toString())) {
                    return false;
                  }
                }
                return true;
              })
          .filter(file -> file.toString().endsWith(ending) && Files.isRegularFile(file))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
