package io.holdfast.bench.floods;

import java.util.Locale;

/**
 * The effect of an attack on nodes and bystander.
 *
 * @param node empty if all nodes live and serve; otherwise the damage
 * @param loss empty if the bystander kept its lock, or why it was lost
 * @param before the resources that the largest node had before
 * @param backMs the time from the end until all was as before; negative if it took too long
 * @param logBytes the length of what the nodes logged meanwhile
 */
record Outcome(
    String attack,
    String node,
    String loss,
    long pauseMs,
    long failures,
    String before,
    String after,
    long backMs,
    long logBytes,
    String tally) {

  static final String HEADER =
      "%-24s %-12s %-10s %8s %5s  %-14s %-14s %6s %7s   %s"
          .formatted(
              "attack",
              "node",
              "lock",
              "pause ms",
              "fails",
              "fd/thr/heap",
              "after",
              "back s",
              "log KB",
              "what it did");

  /** A flood must not fill the disk instead. */
  private static final long MAX_LOG_BYTES = 1 << 20;

  boolean holds() {
    return node.isEmpty() && loss.isEmpty() && backMs >= 0 && logBytes <= MAX_LOG_BYTES;
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%-24s %-12s %-10s %8d %5d  %-14s %-14s %6s %7d %s %s",
        attack,
        node.isEmpty() ? "lives" : node,
        loss.isEmpty() ? "kept" : loss,
        pauseMs,
        failures,
        before,
        after,
        backMs < 0 ? "never" : String.format(Locale.ROOT, "%.1f", backMs / 1e3),
        logBytes >> 10,
        holds() ? " " : "!",
        tally);
  }
}
