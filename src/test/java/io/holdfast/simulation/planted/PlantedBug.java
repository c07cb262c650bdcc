package io.holdfast.simulation.planted;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A mistake that somebody could make: what it is, and how the source reads with it. */
record PlantedBug(String name, List<Edit> edits) {

  /**
   * A piece of source, which occurs exactly once, and what stands there instead.
   *
   * @param file a class of the core; with a directory before it one of that room
   */
  record Edit(String file, String original, String replacement) {

    String applyTo(String source) {
      int at = source.indexOf(original);
      if (at < 0 || source.indexOf(original, at + 1) >= 0) {
        throw new IllegalStateException("not exactly once in " + file + ": " + original);
      }
      return source.replace(original, replacement);
    }
  }

  static PlantedBug of(String name, String file, String original, String replacement) {
    return new PlantedBug(name, List.of(new Edit(file, original, replacement)));
  }

  /** Another edit of the same file. */
  PlantedBug and(String original, String replacement) {
    return andIn(edits.get(edits.size() - 1).file(), original, replacement);
  }

  PlantedBug andIn(String file, String original, String replacement) {
    List<Edit> more = new ArrayList<>(edits);
    more.add(new Edit(file, original, replacement));
    return new PlantedBug(name, List.copyOf(more));
  }

  /** The files that are edited, by name, and how they read then. */
  Map<String, String> applyTo(Function<String, String> sourceOf) {
    Map<String, String> edited = new TreeMap<>();
    for (Edit edit : edits) {
      edited.put(edit.file(), edit.applyTo(edited.computeIfAbsent(edit.file(), sourceOf)));
    }
    return edited;
  }
}
