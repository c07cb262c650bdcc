package holdfast.simulation.planted;

import java.util.ArrayList;
import java.util.List;

/**
 * A mistake that somebody could make: what it is, and how the source reads with it.
 *
 * @param edits all in one file of the core
 */
record PlantedBug(String name, String file, List<Edit> edits) {

  /** A piece of source, which occurs exactly once, and what stands there instead. */
  record Edit(String original, String replacement) {

    String applyTo(String source) {
      int at = source.indexOf(original);
      if (at < 0 || source.indexOf(original, at + 1) >= 0) {
        throw new IllegalStateException("not exactly once in the source: " + original);
      }
      return source.replace(original, replacement);
    }
  }

  static PlantedBug of(String name, String file, String original, String replacement) {
    return new PlantedBug(name, file, List.of(new Edit(original, replacement)));
  }

  PlantedBug and(String original, String replacement) {
    List<Edit> more = new ArrayList<>(edits);
    more.add(new Edit(original, replacement));
    return new PlantedBug(name, file, List.copyOf(more));
  }

  String applyTo(String source) {
    String edited = source;
    for (Edit edit : edits) {
      edited = edit.applyTo(edited);
    }
    return edited;
  }
}
