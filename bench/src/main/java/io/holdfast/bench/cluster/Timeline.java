package io.holdfast.bench.cluster;

import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The steps of one fail-over with their times, read from the logs of the nodes that are left. Those
 * must log more than usual.
 */
final class Timeline {

  /** Options of a node's JVM that have its log tell enough. */
  static final List<String> TALKATIVE =
      List.of("-DHOLDFAST_LOG_LEVEL=DEBUG", "-DHOLDFAST_LOG_LEVEL_AKKA=INFO");

  private static final Pattern LINE = Pattern.compile("(\\d\\d:\\d\\d:\\d\\d\\.\\d{3}) (.*)");

  /** The words that show a step in a line; VICTIM stands for the address of the dead node. */
  private static final Map<String, String> STEPS = steps();

  private final LocalTime killedAt;
  private final String victim;
  private final Map<String, LongSummaryStatistics> found = new LinkedHashMap<>();

  private Timeline(LocalTime killedAt, String victim) {
    this.killedAt = killedAt;
    this.victim = victim;
  }

  private static Map<String, String> steps() {
    Map<String, String> steps = new LinkedHashMap<>();
    steps.put("link lost", "PeerLink - lost the link");
    steps.put("leads", "leads the log in term");
    steps.put("session ended", "Downing - VICTIM is down");
    steps.put("downed", "Marking unreachable node [VICTIM] as [Down]");
    steps.put("removed", "Member removed [VICTIM]");
    steps.put("coordinator active", "ShardCoordinator was moved to the active state");
    steps.put("shards owned", "OwnedShards - owns");
    return steps;
  }

  /** Reads the logs of those that are left. */
  static Timeline read(Cluster cluster, int victim, LocalTime killedAt, List<Integer> survivors) {
    Timeline timeline = new Timeline(killedAt, cluster.place(victim).akkaAddress());
    survivors.forEach(node -> timeline.read(cluster.node(node).log()));
    return timeline;
  }

  private void read(String log) {
    for (String line : log.lines().toList()) {
      Matcher parts = LINE.matcher(line);
      if (parts.matches()) {
        long ms = Duration.between(killedAt, LocalTime.parse(parts.group(1))).toMillis();
        if (ms >= 0) {
          read(ms, parts.group(2));
        }
      }
    }
  }

  private void read(long ms, String text) {
    STEPS.forEach(
        (step, words) -> {
          if (text.contains(words.replace("VICTIM", victim))) {
            found.computeIfAbsent(step, none -> new LongSummaryStatistics()).accept(ms);
          }
        });
  }

  /** Each step with the times of the first and the last node, or shard, that it happened to. */
  String line() {
    List<String> told = new ArrayList<>();
    for (String step : STEPS.keySet()) {
      LongSummaryStatistics times = found.get(step);
      if (times != null) {
        told.add(
            times.getCount() == 1
                ? "%s %d".formatted(step, times.getMin())
                : "%s %d to %d".formatted(step, times.getMin(), times.getMax()));
      }
    }
    return String.join(", ", told) + " ms";
  }
}
