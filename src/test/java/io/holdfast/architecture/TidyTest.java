package io.holdfast.architecture;

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
import java.util.TreeMap;
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

  /** Names that users of the client see, and that the server has as well. */
  private static final Set<String> IN_CLIENT_AND_SERVER = Set.of("LockChange.java");

  private static final Pattern TYPE =
      Pattern.compile(
          "/\\*\\*([^*]*(?:\\*(?!/)[^*]*)*+)\\*/\\s*"
              + "(?:@[\\w.]+(?:\\([^()]*(?:\\([^()]*\\)[^()]*)*+\\))?\\s*)*"
              + "(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed)\\s+)*"
              + "@?(?:class|interface|enum|record)\\s+(\\w+)");
  private static final Pattern QUESTION_WORD =
      Pattern.compile(
          "[\\s*]*(What|Who|Whom|Whose|Whoever|Whether|That|How|Where|When|Which|Why|Until"
              + "|(?:In|On|Under|By) (?:what|which|whom|whose))\\b");
  private static final Pattern QUESTION_IN_TAG =
      Pattern.compile(
          "@(?:param\\s+\\S+|return)[\\s*]+"
              + "(?:what|who|whom|whose|whoever|whether|that|how|where|when|which|why)\\b");
  private static final Pattern TEST_METHOD =
      Pattern.compile("\\bvoid ([a-z0-9]+(?:_[a-z0-9]+)+)\\(");
  private static final Pattern QUESTION_NAME =
      Pattern.compile("(what|who|whose|whoever|whether|that|how|where|when|which)_");
  private static final int LONGEST_TEST_NAME = 60;

  /** Words that once stood for something that this field has a term for. */
  private static final Pattern PICTURE =
      Pattern.compile(
          "(?i)\\b(how-manieth|doorkeepers?|turnstiles?|farewells?|signs? of life|waits? in line"
              + "|hitherto|thereupon|whence)\\b");

  @Test
  void nothing_is_left_for_later() {
    assertEquals(
        List.of(),
        lines(ours(), (file, line) -> LEFT_OVER.matcher(line).find()),
        "Do it, or describe it under \"To come\" in the documents.");
  }

  @Test
  void no_registry_is_named() {
    assertEquals(
        List.of(),
        lines(ours(), (file, line) -> HOST.matcher(line).find()),
        "Name packages only: a build takes them from the registries of its machine.");
  }

  @Test
  void only_what_talks_to_people_prints() {
    assertEquals(
        List.of(),
        lines(
            Stream.of(Path.of("src", "main"), Path.of("akka"))
                .flatMap(top -> files(top, ".java"))
                .filter(f -> !f.endsWith(Path.of("Main.java"))),
            (file, line) -> line.contains("System.out") || line.contains("System.err")),
        "Log it by SLF4J.");
  }

  @Test
  void no_test_sleeps() {
    assertEquals(
        List.of(),
        lines(ours(), (file, line) -> line.contains("Thread." + "sleep(")),
        "Wait for the event itself, with Eventually or a future.");
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
    assertEquals(List.of(), broken, "Link to files that exist, by a relative path.");
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
    assertEquals(List.of(), missing, "Name the test as it is named in the code.");
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
    assertEquals(List.of(), untitled, "Begin a document with its only heading of the first level.");
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
    assertEquals(List.of(), missing, "Describe the setting in docs/configuration.md.");
  }

  @Test
  void every_exit_code_is_documented() {
    String document = read(Path.of("docs", "operations.md"));
    Matcher code =
        Pattern.compile("^  ([A-Z_]+)\\((\\d+)\\)", Pattern.MULTILINE)
            .matcher(read(Path.of("src/main/java/io/holdfast/server/NodeExitCode.java")));
    int codes = 0;
    while (code.find()) {
      codes++;
      String row = "| " + code.group(2) + " | " + code.group(1) + " |";
      assertTrue(document.contains(row), () -> "docs/operations.md has no row " + row);
    }
    assertTrue(codes > 3, "too few codes found: " + codes);
  }

  @Test
  void a_type_comment_says_what_the_type_is_or_does() {
    List<String> riddles = new ArrayList<>();
    int types = 0;
    for (Path file : files(Path.of(""), ".java").toList()) {
      Matcher type = TYPE.matcher(read(file));
      while (type.find()) {
        types++;
        Matcher question = QUESTION_WORD.matcher(type.group(1));
        if (question.lookingAt()) {
          riddles.add(file + ": " + type.group(2) + " begins with " + question.group(1));
        }
      }
    }
    assertEquals(
        List.of(),
        riddles,
        "Begin the comment of a type with what the type is or does: with a noun, as in \"The queue"
            + " of one lock.\", or with a verb, as in \"Resends a request until it is answered.\"");
    assertTrue(types > 1_000, "too few types found: " + types);
  }

  @Test
  void a_term_of_this_field_takes_the_place_of_a_picture() {
    assertEquals(
        List.of(),
        lines(
            ours(),
            (file, line) -> !file.endsWith("TidyTest.java") && PICTURE.matcher(line).find()),
        "Use the words of this field: queue, acceptor, handshake, expire, tolerate, reply, clean"
            + " up.");
  }

  @Test
  void a_parameter_is_described_by_a_noun_or_a_condition() {
    List<String> riddles = new ArrayList<>();
    files(Path.of(""), ".java")
        .forEach(
            file -> {
              Matcher tag = QUESTION_IN_TAG.matcher(read(file));
              while (tag.find()) {
                riddles.add(file + ": " + tag.group());
              }
            });
    assertEquals(
        List.of(),
        riddles,
        "Describe it by a noun, as in \"the number of shards\", or by a condition, as in \"true if"
            + " the entry is durable\".");
  }

  @Test
  void a_test_name_is_short_and_begins_with_its_subject() {
    List<String> unfit = new ArrayList<>();
    int tests = 0;
    for (Path file : files(Path.of(""), ".java").toList()) {
      Matcher test = TEST_METHOD.matcher(read(file));
      while (test.find()) {
        tests++;
        String name = test.group(1);
        if (name.length() > LONGEST_TEST_NAME || QUESTION_NAME.matcher(name).lookingAt()) {
          unfit.add(file + ": " + name + " [" + name.length() + "]");
        }
      }
    }
    assertEquals(
        List.of(),
        unfit,
        "Name the subject, the situation and the result, as in a_refused_grant_does_not_count, in"
            + " at most 60 characters.");
    assertTrue(tests > 700, "too few tests found: " + tests);
  }

  @Test
  void no_two_shipped_types_have_one_name() {
    Map<Path, List<Path>> named = new TreeMap<>();
    Stream<Path> shipped =
        Stream.of("src", "akka", "client", "cli").flatMap(top -> files(Path.of(top), ".java"));
    for (Path file : shipped.toList()) {
      boolean isMain = file.toString().contains(Path.of("src", "main", "java").toString());
      if (isMain && !file.endsWith("package-info.java")) {
        named.computeIfAbsent(file.getFileName(), first -> new ArrayList<>()).add(file);
      }
    }
    named.keySet().removeIf(name -> IN_CLIENT_AND_SERVER.contains(name.toString()));
    named.values().removeIf(each -> each.size() == 1);
    assertEquals(
        Map.of(),
        named,
        "Rename all but one: say in the name what its room makes of it, as in LinkEnding and"
            + " WatchEnding.");
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
