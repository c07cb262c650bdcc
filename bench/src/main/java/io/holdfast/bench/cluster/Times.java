package io.holdfast.bench.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Some times in milliseconds. */
final class Times {

  private final List<Long> times = new ArrayList<>();

  void add(long ms) {
    times.add(ms);
  }

  int count() {
    return times.size();
  }

  String line() {
    if (times.isEmpty()) {
      return "none";
    }
    List<Long> sorted = new ArrayList<>(times);
    Collections.sort(sorted);
    return String.format(
        Locale.ROOT,
        "median %5d ms, least %5d, most %5d (%d)",
        sorted.get(sorted.size() / 2),
        sorted.get(0),
        sorted.get(sorted.size() - 1),
        sorted.size());
  }
}
