package io.holdfast.simulation.planted;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The changes of one file, from a unified diff. Line numbers do not count: a hunk applies where its
 * old lines stand, and they must stand there once.
 */
record Patch(String file, List<Hunk> hunks) {

  private static final String OLD_FILE = "--- a/";
  private static final String NEW_FILE = "+++ b/";

  /** Lines with those around them, and the lines that replace them. */
  record Hunk(List<String> before, List<String> after) {

    private void add(String line) {
      String text = line.isEmpty() ? "" : line.substring(1); // an editor may cut a lone space
      if (!line.startsWith("+")) {
        before.add(text);
      }
      if (!line.startsWith("-")) {
        after.add(text);
      }
    }

    private List<String> applyTo(List<String> lines, String file) {
      int at = Collections.indexOfSubList(lines, before);
      if (at < 0 || at != Collections.lastIndexOfSubList(lines, before)) {
        throw new IllegalStateException(
            "[%s] has these lines %s; write the patch anew:%n%s"
                .formatted(file, at < 0 ? "nowhere" : "twice", String.join("\n", before)));
      }
      List<String> applied = new ArrayList<>(lines.subList(0, at));
      applied.addAll(after);
      applied.addAll(lines.subList(at + before.size(), lines.size()));
      return applied;
    }
  }

  static List<Patch> parse(String diff) {
    List<Patch> patches = new ArrayList<>();
    diff.lines()
        .filter(line -> !line.startsWith(NEW_FILE))
        .forEach(
            line -> {
              if (line.startsWith(OLD_FILE)) {
                patches.add(new Patch(line.substring(OLD_FILE.length()), new ArrayList<>()));
              } else if (line.startsWith("@@")) {
                last(patches).hunks.add(new Hunk(new ArrayList<>(), new ArrayList<>()));
              } else if (!patches.isEmpty()) {
                last(last(patches).hunks).add(line);
              }
            });
    return patches;
  }

  private static <T> T last(List<T> list) {
    if (list.isEmpty()) {
      throw new IllegalArgumentException("a line of a diff comes before its file and hunk");
    }
    return list.get(list.size() - 1);
  }

  /**
   * The text after the change.
   *
   * @throws IllegalStateException if a hunk fits nowhere, or at two places
   */
  String applyTo(String text) {
    List<String> lines = Arrays.asList(text.split("\n", -1));
    for (Hunk hunk : hunks) {
      lines = hunk.applyTo(lines, file);
    }
    return String.join("\n", lines);
  }
}
