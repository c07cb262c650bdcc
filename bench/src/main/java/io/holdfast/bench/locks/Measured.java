package io.holdfast.bench.locks;

import io.holdfast.bench.cluster.Cluster;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The throughput, the latency and the CPU time of a load.
 *
 * @param nodesMicros CPU of all nodes
 * @param ownMicros CPU of this process, which asked
 */
record Measured(Histogram nanos, double seconds, double nodesMicros, double ownMicros) {

  static final String HEADER =
      "%-34s %9s %9s %9s %9s %9s   %s"
          .formatted(
              "what",
              "a second",
              "p50 ms",
              "p99 ms",
              "p99.9 ms",
              "max ms",
              "CPU us each: all, nodes");

  private record Clock(long nanos, double nodesMicros, double ownMicros) {

    static Clock now(Cluster cluster) {
      return new Clock(
          System.nanoTime(),
          cluster.all().stream().mapToDouble(node -> micros(cluster.node(node).pid())).sum(),
          micros(ProcessHandle.current().pid()));
    }

    /** CPU of a process since its beginning. */
    private static double micros(long pid) {
      return ProcessHandle.of(pid)
              .flatMap(process -> process.info().totalCpuDuration())
              .orElseThrow(() -> new IllegalStateException("process [" + pid + "] has ended"))
              .toNanos()
          / 1e3;
    }
  }

  /** Lets a load that is at work go on for so long, and looks. */
  static Measured of(Load load, Cluster cluster, long ms) {
    load.histogram();
    Clock before = Clock.now(cluster);
    Load.pause(ms);
    Histogram nanos = load.histogram();
    Clock after = Clock.now(cluster);
    return new Measured(
        nanos,
        (after.nanos - before.nanos) / 1e9,
        after.nodesMicros - before.nodesMicros,
        after.ownMicros - before.ownMicros);
  }

  long count() {
    return Math.max(1, nanos.getTotalCount());
  }

  String line(String what) {
    return String.format(
        Locale.ROOT,
        "%-34s %9.0f %9.3f %9.3f %9.3f %9.3f   %7.1f %7.1f",
        what,
        nanos.getTotalCount() / seconds,
        nanos.getValueAtPercentile(50) / 1e6,
        nanos.getValueAtPercentile(99) / 1e6,
        nanos.getValueAtPercentile(99.9) / 1e6,
        nanos.getMaxValue() / 1e6,
        (nodesMicros + ownMicros) / count(),
        nodesMicros / count());
  }
}
