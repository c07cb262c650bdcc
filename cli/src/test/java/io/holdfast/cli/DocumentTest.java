package io.holdfast.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks that the documents and the help describe the command line as it is. */
final class DocumentTest {

  private static final List<String> PAGES =
      List.of("README.md", "docs/cli.md", "docs/operations.md", "docs/raft.md");

  @Test
  void every_exit_code_is_documented() throws IOException {
    String page = Files.readString(Project.file("docs/cli.md"));
    ExitCode.table()
        .forEach(
            (code, meaning) -> {
              String row = "| " + code + " | " + meaning + " |";
              assertTrue(page.contains(row), () -> "docs/cli.md has no row " + row);
            });
  }

  @Test
  void every_command_is_documented() throws IOException {
    String page = Files.readString(Project.file("docs/cli.md"));
    List<String> missing =
        HoldfastCommand.commandLine().getSubcommands().keySet().stream()
            .filter(name -> !page.contains("`holdfast " + name))
            .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void every_example_of_the_documents_is_understood() throws IOException {
    List<String> examples = new ArrayList<>();
    for (String page : PAGES) {
      boolean isCode = false;
      for (String line : Files.readAllLines(Project.file(page))) {
        isCode ^= line.startsWith("```");
        String text = line.strip().replaceFirst("^\\$ ", "");
        if ((isCode || line.startsWith("    ")) && text.startsWith("holdfast ")) {
          examples.add(text);
        }
      }
    }
    assertTrue(examples.size() > 3, examples::toString);
    understand(examples.stream());
  }

  @Test
  void every_example_of_the_help_is_understood() {
    understand(examples(HoldfastCommand.commandLine()));
  }

  private static Stream<String> examples(CommandLine line) {
    return Stream.concat(
        Stream.of(line.getCommandSpec().usageMessage().footer())
            .map(text -> text.strip().replace("$$", "$"))
            .filter(text -> text.startsWith("holdfast ")),
        line.getSubcommands().values().stream().flatMap(DocumentTest::examples));
  }

  private static void understand(Stream<String> examples) {
    List<String> wrong = new ArrayList<>();
    examples.forEach(
        example -> {
          try {
            HoldfastCommand.commandLine().parseArgs(words(example));
          } catch (ParameterException e) {
            wrong.add(example + ": " + e.getMessage());
          }
        });
    assertEquals(List.of(), wrong);
  }

  /** The words after the command's name, as a shell would see them; variables are numbers. */
  private static String[] words(String example) {
    List<String> words = new ArrayList<>();
    String shell = example.replaceFirst("( [|>&]|;).*$", "").replaceAll("\\$\\w+", "7");
    StringBuilder word = new StringBuilder();
    char quote = ' ';
    for (char each : (shell + " ").toCharArray()) {
      if (quote != ' ') {
        quote = each == quote ? ' ' : quote;
        word.append(each == '\'' || each == '"' ? "" : each);
      } else if (each == '\'' || each == '"') {
        quote = each;
        word.append('\0'); // also an empty word is one
      } else if (each != ' ') {
        word.append(each);
      } else if (word.length() > 0) {
        words.add(word.toString().replace("\0", ""));
        word.setLength(0);
      }
    }
    return words.subList(1, words.size()).toArray(String[]::new);
  }
}
