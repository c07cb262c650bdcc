package io.holdfast.bench;

import io.holdfast.client.HoldfastClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Acquires and releases locks, one after the other in each worker. */
@Command(
    name = "first-lock",
    mixinStandardHelpOptions = true,
    description = {
      "Each worker acquires a random one of the keys and releases it, again and again. One line"
          + " for each number of workers. A cycle is both calls.",
      "The loop is closed: a worker that waits asks nothing, so a stall is seen by as many cycles"
          + " as there are workers, and no more."
    })
final class FirstLock implements Callable<Integer> {

  private static final int MAX_WORKERS = 1_000;
  private static final int MAX_SECONDS = 3_600;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--endpoint",
      paramLabel = "HOST:PORT",
      description = "A node. Default: 127.0.0.1:7400.")
  private String endpoint = "127.0.0.1:7400";

  @Option(
      names = "--workers",
      split = ",",
      paramLabel = "N",
      description = "How many at a time. Default: 1,16.")
  private List<Integer> workers = List.of(1, 16);

  @Option(names = "--seconds", paramLabel = "N", description = "How long each. Default: 5.")
  private int seconds = 5;

  @Option(names = "--warm-up", paramLabel = "N", description = "Seconds before. Default: 3.")
  private int warmUp = 3;

  @Option(names = "--keys", paramLabel = "N", description = "How many keys. Default: 1000.")
  private int keys = 1_000;

  @Override
  public Integer call() throws InterruptedException {
    within("seconds", seconds, MAX_SECONDS);
    within("warm-up", warmUp, MAX_SECONDS);
    within("keys", keys, Integer.MAX_VALUE);
    workers.forEach(count -> within("workers", count, MAX_WORKERS));
    PrintWriter out = spec.commandLine().getOut();
    try (HoldfastClient client = HoldfastClient.connect(endpoint)) {
      for (int count : workers) {
        Cycles.run(client, keys, count, Duration.ofSeconds(warmUp));
        out.println(line(count, Cycles.run(client, keys, count, Duration.ofSeconds(seconds))));
      }
    }
    return 0;
  }

  private void within(String name, int value, int max) {
    if (value < 1 || value > max) {
      throw new ParameterException(
          spec.commandLine(), "--" + name + " [" + value + "] is not within [1] and [" + max + "]");
    }
  }

  private static String line(int workers, Cycles.Result result) {
    Histogram nanos = result.nanos();
    return "workers %4d   cycles/s %8.0f   p50 %8.3f ms   p99 %8.3f ms   p99.9 %8.3f ms   failed %d"
        .formatted(
            workers,
            nanos.getTotalCount() / (result.took().toNanos() / 1e9),
            nanos.getValueAtPercentile(50) / 1e6,
            nanos.getValueAtPercentile(99) / 1e6,
            nanos.getValueAtPercentile(99.9) / 1e6,
            result.failed());
  }
}
