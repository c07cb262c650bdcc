package io.holdfast.simulation.planted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A mistake that somebody could make: its name, and the source files that it changes. */
record PlantedBug(String name, List<Patch> patches) {

  /** The top of the project, from which patches name files. */
  static final Path ROOT = Path.of(System.getProperty("holdfast.root", ""));

  /**
   * All bugs of a group, by name.
   *
   * @param group a directory of {@code src/test/resources/planted}
   */
  static List<PlantedBug> of(String group) {
    try (Stream<Path> files =
        Files.list(ROOT.resolve("src/test/resources/planted").resolve(group))) {
      return files
          .filter(file -> file.toString().endsWith(".patch"))
          .sorted()
          .map(PlantedBug::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a file with the bug's name in its first line and a unified diff below. */
  private static PlantedBug read(Path file) {
    try {
      String text = Files.readString(file);
      int endOfName = text.indexOf('\n');
      return new PlantedBug(
          text.substring(0, endOfName), Patch.parse(text.substring(endOfName + 1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The changed files with their new text. */
  Map<Path, String> applyToSources() {
    Map<Path, String> changed = new LinkedHashMap<>();
    for (Patch patch : patches) {
      Path file = ROOT.resolve(patch.file());
      try {
        changed.put(file, patch.applyTo(Files.readString(file)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return changed;
  }
}
