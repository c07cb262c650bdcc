package io.holdfast.bench.persist;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Measures where this process spends its time: the CPU time of each kind of thread, as the
 * operating system counts it, divided among the rooms by Flight Recorder's samples.
 */
final class Account {

  private static final Duration SAMPLE_EVERY = Duration.ofMillis(10);

  private record Spent(long cpuNanos, long bytes) {
    Spent plus(Spent other) {
      return new Spent(cpuNanos + other.cpuNanos, bytes + other.bytes);
    }

    Spent minus(Spent other) {
      return new Spent(cpuNanos - other.cpuNanos, bytes - other.bytes);
    }
  }

  private static final Spent NOTHING = new Spent(0, 0);
  private static final String WHOLE = "whole process";

  private final Recording recording;
  private final Map<String, Spent> before;
  private final long pausedMs;

  private Account(Recording recording, Map<String, Spent> before, long pausedMs) {
    this.recording = recording;
    this.before = before;
    this.pausedMs = pausedMs;
  }

  static Account begin() {
    Recording recording = new Recording();
    recording.enable("jdk.ExecutionSample").withPeriod(SAMPLE_EVERY);
    recording.start();
    return new Account(recording, spent(), pausedMs());
  }

  /** The account in lines, per persist. */
  List<String> end(long persists, Path file) throws IOException {
    Map<String, Spent> after = spent();
    long paused = pausedMs() - pausedMs;
    recording.stop();
    recording.dump(file);
    recording.close();
    Map<String, Map<String, Integer>> samples = samples(file);
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "%-44s %8s %8s", "where", "us", "bytes"));
    Spent threads = NOTHING;
    for (Map.Entry<String, Spent> each : after.entrySet()) {
      if (!each.getKey().equals(WHOLE)) {
        Spent spent = each.getValue().minus(before.getOrDefault(each.getKey(), NOTHING));
        threads = threads.plus(spent);
        lines.add(line(each.getKey(), spent, persists));
        split(samples.getOrDefault(each.getKey(), Map.of()), spent, persists, lines);
      }
    }
    Spent whole = after.getOrDefault(WHOLE, NOTHING).minus(before.getOrDefault(WHOLE, NOTHING));
    lines.add(line("JVM: collector, compiler", whole.minus(threads), persists));
    lines.add(line(WHOLE, new Spent(whole.cpuNanos, threads.bytes), persists));
    lines.add("paused by the collector: " + paused + " ms");
    return lines;
  }

  private static void split(
      Map<String, Integer> rooms, Spent spent, long persists, List<String> lines) {
    int all = rooms.values().stream().mapToInt(Integer::intValue).sum();
    rooms.entrySet().stream()
        .sorted(Comparator.comparingInt(each -> -each.getValue()))
        .forEach(
            each ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "  %-42s %8.2f",
                        each.getKey(),
                        spent.cpuNanos / 1e3 / persists * each.getValue() / all)));
  }

  private static String line(String what, Spent spent, long persists) {
    return String.format(
        Locale.ROOT,
        "%-44s %8.2f %8d",
        what,
        spent.cpuNanos / 1e3 / persists,
        Math.max(0, spent.bytes) / persists);
  }

  private static Map<String, Map<String, Integer>> samples(Path file) throws IOException {
    Map<String, Map<String, Integer>> samples = new TreeMap<>();
    try (RecordingFile recorded = new RecordingFile(file)) {
      while (recorded.hasMoreEvents()) {
        RecordedEvent event = recorded.readEvent();
        if (event.getEventType().getName().equals("jdk.ExecutionSample")
            && event.getStackTrace() != null
            && event.getThread("sampledThread") != null) {
          samples
              .computeIfAbsent(
                  kind(event.getThread("sampledThread").getJavaName()), kind -> new TreeMap<>())
              .merge(Rooms.of(event.getStackTrace()), 1, Integer::sum);
        }
      }
    }
    return samples;
  }

  private static Map<String, Spent> spent() {
    Map<String, Spent> spent = new TreeMap<>();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (long id : threads.getAllThreadIds()) {
      var info = threads.getThreadInfo(id);
      if (info != null) {
        spent.merge(
            kind(info.getThreadName()),
            new Spent(
                Math.max(0, threads.getThreadCpuTime(id)),
                Math.max(0, threads.getThreadAllocatedBytes(id))),
            Spent::plus);
      }
    }
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    spent.put(WHOLE, new Spent(system.getProcessCpuTime(), 0));
    return spent;
  }

  private static String kind(String thread) {
    if (thread.startsWith("raft-") && Character.isDigit(thread.charAt(thread.length() - 1))) {
      return "raft thread";
    } else if (thread.contains("default-dispatcher")) {
      return "actors' threads";
    }
    return "other threads";
  }

  private static long pausedMs() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
