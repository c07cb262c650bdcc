package io.holdfast.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Help.Ansi;

/** Rows below headings, each column as wide as it must be. */
final class Grid {

  private static final String GAP = "  ";

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  Grid(String... headings) {
    this.headings = List.of(headings);
  }

  Grid row(Object... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(
          "[%d] cells for [%d] headings".formatted(cells.length, headings.size()));
    }
    rows.add(List.of(cells).stream().map(String::valueOf).map(Shown::text).toList());
    return this;
  }

  /** The lines; with a heading that stands out where the terminal can show it. */
  String text(Ansi ansi) {
    List<Integer> widths = IntStream.range(0, headings.size()).mapToObj(this::width).toList();
    List<String> lines = new ArrayList<>();
    String head = line(headings, widths);
    lines.add(ansi.enabled() ? ansi.string("@|bold " + head + "|@") : head);
    rows.forEach(row -> lines.add(line(row, widths)));
    return String.join("\n", lines);
  }

  private int width(int column) {
    return Math.max(
        headings.get(column).length(),
        rows.isEmpty()
            ? 0
            : Collections.max(rows.stream().map(row -> row.get(column).length()).toList()));
  }

  private static String line(List<String> cells, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      line.append(i == 0 ? "" : GAP).append(cells.get(i));
      line.append(" ".repeat(widths.get(i) - cells.get(i).length()));
    }
    return line.toString().stripTrailing();
  }
}
