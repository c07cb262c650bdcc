package io.holdfast.bench.floods;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counts the actions of an attack and the answers of the node. */
final class Tally {

  private static final int MAX_WORDS = 5;

  private final LongAdder opened = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder left = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final Map<String, LongAdder> words = new ConcurrentSkipListMap<>();

  void opened() {
    opened.increment();
  }

  /** A connection was not had. */
  void refused() {
    refused.increment();
  }

  /** So many connections were open to the end. */
  void left(long count) {
    left.add(count);
  }

  void sent(long bytes) {
    sent.add(bytes);
  }

  void received(long bytes) {
    received.add(bytes);
  }

  /** Counts something by its name: a kind of frame, a reason of an end. */
  void count(String word) {
    words.computeIfAbsent(word, first -> new LongAdder()).increment();
  }

  String line() {
    String told =
        words.entrySet().stream()
            .sorted((a, b) -> Long.compare(b.getValue().sum(), a.getValue().sum()))
            .limit(MAX_WORDS)
            .map(word -> word.getValue() + " " + word.getKey())
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%d connections, %d not had, %d open at the end, %.1f MB sent, %.1f MB read%s",
        opened.sum(),
        refused.sum(),
        left.sum(),
        sent.sum() / 1e6,
        received.sum() / 1e6,
        told.isEmpty() ? "" : "; " + told);
  }
}
