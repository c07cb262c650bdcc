package io.holdfast.simulation.planted;

import io.holdfast.simulation.cluster.ClusterSimulation;
import io.holdfast.simulation.journal.JournalSimulation;
import io.holdfast.simulation.raft.RaftSimulation;
import java.io.PrintStream;
import java.util.List;

/** The table of planted bugs: which seed finds each, and as what. */
public final class PlantedTable {

  private final PrintStream out;
  private final List<PlantedBug> bugs;
  private final Class<?> simulation;

  private PlantedTable(PrintStream out, List<PlantedBug> bugs, Class<?> simulation) {
    this.out = out;
    this.bugs = bugs;
    this.simulation = simulation;
  }

  /** The bugs of core and log. */
  public static PlantedTable ofRaft(PrintStream out) {
    return new PlantedTable(out, PlantedBug.of("raft"), RaftSimulation.class);
  }

  /** The bugs of coordination, the journal, and the nodes above them. */
  public static PlantedTable ofJournal(PrintStream out) {
    return new PlantedTable(out, PlantedBug.of("journal"), JournalSimulation.class);
  }

  /** The bugs of the actors, the keepers, the watches, and the clients above them. */
  public static PlantedTable ofCluster(PrintStream out) {
    return new PlantedTable(out, PlantedBug.of("cluster"), ClusterSimulation.class);
  }

  /** Tries each bug whose name contains {@code part}; says whether all were found. */
  public boolean print(long base, long seeds, String part) {
    int found = 0;
    int tried = 0;
    for (PlantedBug bug : bugs) {
      if (bug.name().contains(part)) {
        tried++;
        found += find(bug, base, seeds) ? 1 : 0;
      }
    }
    out.printf("%d of %d planted bugs found within %d seeds%n", found, tried, seeds);
    return found == tried;
  }

  private boolean find(PlantedBug bug, long base, long seeds) {
    PlantedCore core = new PlantedCore(bug, simulation);
    for (long seed = base; seed < base + seeds; seed++) {
      String failure = core.failure(seed);
      if (failure != null) {
        String what = failure.lines().findFirst().orElse("").replaceFirst("^seed \\d+: ", "");
        out.printf("%-58s %6d  %s%n", bug.name(), seed - base + 1, shorten(what));
        return true;
      }
    }
    out.printf("%-58s      -  not found%n", bug.name());
    return false;
  }

  private static String shorten(String what) {
    String plain = what.replace("io.holdfast.simulation.Violation: ", "").replace("java.lang.", "");
    return plain.length() <= 90 ? plain : plain.substring(0, 90) + "…";
  }
}
