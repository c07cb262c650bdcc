package io.holdfast.bench.locks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Measures where a node spends its time: the CPU time of each kind of thread, as the JVM counts it,
 * divided among the parts of a node by Flight Recorder's samples.
 */
final class NodeAccount {

  private static final Pattern THREAD =
      Pattern.compile("^\"(.+)\" .*?\\bcpu=([0-9.]+)ms.*?(?:allocated=(\\d+)([BKMGT]).*)?$");
  private static final String SETTINGS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="jdk.ExecutionSample">
          <setting name="enabled">true</setting>
          <setting name="period">10 ms</setting>
        </event>
        <event name="jdk.ObjectAllocationSample">
          <setting name="enabled">true</setting>
          <setting name="throttle">300/s</setting>
        </event>
      </configuration>
      """;

  private record Spent(double micros, double bytes) {

    Spent plus(Spent other) {
      return new Spent(micros + other.micros, bytes + other.bytes);
    }

    Spent minus(Spent other) {
      return new Spent(micros - other.micros, bytes - other.bytes);
    }
  }

  private static final Spent NOTHING = new Spent(0, 0);

  /** The samples of time, and the sampled bytes of allocations, of each part. */
  private static final class Split {

    private final Map<String, Spent> parts = new TreeMap<>();

    void add(String part, Spent more) {
      parts.merge(part, more, Spent::plus);
    }

    /** Divides an exact total among the parts. */
    void tell(Spent spent, long done, List<String> lines) {
      Spent all = parts.values().stream().reduce(NOTHING, Spent::plus);
      parts.entrySet().stream()
          .sorted(Comparator.comparingDouble(each -> -each.getValue().micros))
          .map(
              each ->
                  line(
                      "  " + each.getKey(),
                      new Spent(
                          spent.micros * each.getValue().micros / Math.max(1, all.micros),
                          spent.bytes * each.getValue().bytes / Math.max(1, all.bytes)),
                      done))
          .forEach(lines::add);
    }
  }

  private final long pid;
  private final Path file;
  private final Map<String, Spent> before;

  private NodeAccount(long pid, Path file, Map<String, Spent> before) {
    this.pid = pid;
    this.file = file;
    this.before = before;
  }

  /**
   * Begins to look at a node.
   *
   * @param file the file of the recording
   */
  static NodeAccount begin(long pid, Path file) throws IOException {
    Path settings = file.resolveSibling("account.jfc");
    Files.writeString(settings, SETTINGS);
    Jcmd.ask(pid, "JFR.start", "name=account", "settings=" + settings);
    return new NodeAccount(pid, file, spent(pid));
  }

  /** The account in lines, for each of so many things that were done. */
  List<String> end(long done) throws IOException {
    Map<String, Spent> after = spent(pid);
    Jcmd.ask(pid, "JFR.stop", "name=account", "filename=" + file);
    Map<String, Split> samples = samples();
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "%-44s %8s %8s", "where", "us", "bytes"));
    Spent all = NOTHING;
    for (Map.Entry<String, Spent> each : after.entrySet()) {
      Spent spent = each.getValue().minus(before.getOrDefault(each.getKey(), NOTHING));
      all = all.plus(spent);
      lines.add(line(each.getKey(), spent, done));
      samples.getOrDefault(each.getKey(), new Split()).tell(spent, done, lines);
    }
    lines.add(line("all threads", all, done));
    return lines;
  }

  private static String line(String what, Spent spent, long done) {
    return String.format(
        Locale.ROOT, "%-44s %8.2f %8.0f", what, spent.micros / done, spent.bytes / done);
  }

  private Map<String, Split> samples() throws IOException {
    Map<String, Split> samples = new TreeMap<>();
    Set<Long> allocated = new HashSet<>();
    try (RecordingFile recorded = new RecordingFile(file)) {
      while (recorded.hasMoreEvents()) {
        RecordedEvent event = recorded.readEvent();
        String type = event.getEventType().getName();
        boolean allocates = type.equals("jdk.ObjectAllocationSample");
        if (!allocates && !type.equals("jdk.ExecutionSample")) {
          continue;
        }
        RecordedThread thread = allocates ? event.getThread() : event.getThread("sampledThread");
        // A thread's first sample stands for all that it has allocated in its life.
        boolean counts = !allocates || thread == null || !allocated.add(thread.getId());
        if (event.getStackTrace() != null && thread != null && counts) {
          samples
              .computeIfAbsent(kind(String.valueOf(thread.getJavaName())), kind -> new Split())
              .add(
                  Parts.of(event.getStackTrace()),
                  allocates ? new Spent(0, event.getLong("weight")) : new Spent(1, 0));
        }
      }
    }
    return samples;
  }

  private static Map<String, Spent> spent(long pid) {
    Map<String, Spent> spent = new TreeMap<>();
    for (String line : Jcmd.ask(pid, "Thread.print", "-e")) {
      Matcher thread = THREAD.matcher(line);
      if (thread.find()) {
        double bytes =
            thread.group(3) == null ? 0 : Double.parseDouble(thread.group(3)) * unit(thread);
        spent.merge(
            kind(thread.group(1)),
            new Spent(Double.parseDouble(thread.group(2)) * 1e3, bytes),
            Spent::plus);
      }
    }
    return spent;
  }

  private static double unit(Matcher thread) {
    return Math.pow(1024, "BKMGT".indexOf(thread.group(4)));
  }

  private static String kind(String thread) {
    if (thread.startsWith("raft-")) {
      return "raft";
    } else if (thread.contains("default-dispatcher")) {
      return "actors, streams";
    } else if (thread.contains("remote") || thread.contains("artery")) {
      return "links between actors";
    } else if (thread.contains("CompilerThread")) {
      return "compiler";
    } else if (thread.startsWith("GC Thread")) {
      return "collector";
    }
    return "other threads";
  }
}
