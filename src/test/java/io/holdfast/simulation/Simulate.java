package io.holdfast.simulation;

import io.holdfast.simulation.cluster.ClusterSimulation;
import io.holdfast.simulation.cluster.Story;
import io.holdfast.simulation.journal.JournalSimulation;
import io.holdfast.simulation.planted.PlantedTable;
import io.holdfast.simulation.raft.RaftSimulation;
import java.io.PrintStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The command line of the simulations: runs seeds, or replays one. */
public final class Simulate {

  private final PrintStream out;

  private Simulate(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    System.exit(new Simulate(System.out).run(Arguments.parse(args)) ? 0 : 1);
  }

  /** One kind of simulated life. */
  private interface Life {
    @Nullable String failure(long seed);

    @Nullable String replay(long seed, Consumer<String> trace);

    PlantedTable planted(PrintStream out);
  }

  private static final class Raft implements Life {
    @Override
    public @Nullable String failure(long seed) {
      return RaftSimulation.failure(seed);
    }

    @Override
    public @Nullable String replay(long seed, Consumer<String> trace) {
      return RaftSimulation.replay(seed, trace);
    }

    @Override
    public PlantedTable planted(PrintStream out) {
      return PlantedTable.ofRaft(out);
    }
  }

  private static final class Journal implements Life {
    @Override
    public @Nullable String failure(long seed) {
      return JournalSimulation.failure(seed);
    }

    @Override
    public @Nullable String replay(long seed, Consumer<String> trace) {
      return JournalSimulation.replay(seed, trace);
    }

    @Override
    public PlantedTable planted(PrintStream out) {
      return PlantedTable.ofJournal(out);
    }
  }

  private static final class Cluster implements Life {
    @Override
    public @Nullable String failure(long seed) {
      return ClusterSimulation.failure(seed);
    }

    @Override
    public @Nullable String replay(long seed, Consumer<String> trace) {
      return ClusterSimulation.replay(seed, trace);
    }

    @Override
    public PlantedTable planted(PrintStream out) {
      return PlantedTable.ofCluster(out);
    }
  }

  private boolean run(Arguments arguments) {
    Long seed = arguments.seed();
    if (arguments.isStory()) {
      String failure = Story.play(seed == null ? 1 : seed, out::println);
      out.print(failure == null ? "" : failure);
      return failure == null;
    }
    if (arguments.planted() != null) {
      return arguments
          .life()
          .planted(out)
          .print(arguments.seedBase(), arguments.seeds(), arguments.planted());
    }
    return seed != null ? replay(arguments.life(), seed) : seeds(arguments);
  }

  private boolean replay(Life life, long seed) {
    String failure = life.replay(seed, out::println);
    out.println(failure == null ? "seed " + seed + ": no violation" : firstLine(failure));
    return failure == null;
  }

  private boolean seeds(Arguments arguments) {
    Life life = arguments.life();
    long base = arguments.seedBase();
    long startedNs = System.nanoTime();
    LongAdder run = new LongAdder();
    // On all cores: a seed is a life of its own.
    Optional<String> violation =
        LongStream.range(base, base + arguments.seeds())
            .filter(seed -> !arguments.realLogs() || RaftSimulation.hasRealLogs(seed))
            .parallel()
            .peek(seed -> run.increment())
            .boxed()
            .flatMap(seed -> failure(life, seed, arguments.name()).stream())
            .findAny();
    if (violation.isPresent()) {
      out.println(violation.get());
      return false;
    }
    double seconds = (System.nanoTime() - startedNs) / 1e9;
    out.printf(
        "%d seeds from %d: no violation, %.1f s, %.0f seeds/s%n",
        run.sum(), base, seconds, run.sum() / seconds);
    return true;
  }

  private static Optional<String> failure(Life life, long seed, String name) {
    return Optional.ofNullable(life.failure(seed))
        .map(failure -> "%s%nviolation: %s --seed %d".formatted(failure, name, seed));
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse(text);
  }

  private record Arguments(
      String name,
      @Nullable Long seed,
      @Nullable Long givenSeeds,
      long seedBase,
      boolean realLogs,
      @Nullable String planted) {

    private static final Set<String> NAMES = Set.of("raft", "journal", "cluster", "story");
    private static final long USUAL_SEEDS = 1_000;
    private static final long PLANTED_SEEDS = 20_000;

    long seeds() {
      return givenSeeds != null ? givenSeeds : planted != null ? PLANTED_SEEDS : USUAL_SEEDS;
    }

    boolean isStory() {
      return name.equals("story");
    }

    Life life() {
      return switch (name) {
        case "raft" -> new Raft();
        case "journal" -> new Journal();
        default -> new Cluster();
      };
    }

    static Arguments parse(String[] args) {
      if (args.length == 0 || !NAMES.contains(args[0])) {
        throw new IllegalArgumentException(
            "usage: raft|journal|cluster [--seeds N] [--seed-base B] [--real-log | --planted"
                + " [NAME]] | raft|journal|cluster --seed S | story [--seed S]");
      }
      Long seed = null;
      Long seeds = null;
      long seedBase = 1;
      boolean realLogs = false;
      String planted = null;
      for (int i = 1; i < args.length; i++) {
        boolean valued = i + 1 < args.length && !args[i + 1].startsWith("--");
        String value = valued ? args[i + 1] : "";
        switch (args[i]) {
          case "--seed" -> seed = Long.parseLong(value);
          case "--seeds" -> seeds = Long.parseLong(value);
          case "--seed-base" -> seedBase = Long.parseLong(value);
          case "--real-log" -> realLogs = true;
          case "--planted" -> planted = value;
          default -> throw new IllegalArgumentException("option [" + args[i] + "] is unknown");
        }
        i += valued ? 1 : 0;
      }
      return new Arguments(args[0], seed, seeds, seedBase, realLogs, planted);
    }
  }
}
