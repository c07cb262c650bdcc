package io.holdfast.specification;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All that the model checker is asked. A rule is shown to be needed where its absence must be found
 * to do harm; a model is shown not to be empty where what it speaks about must be found.
 */
final class Checks {

  private static final Check ELECTIONS =
      new Check(
          "",
          "Elections",
          constants(
              "None = None",
              "Full = {a, b, c}",
              "Witnesses = {}",
              "MaxTerm = 3",
              "MaxLog = 3",
              "Steady = TRUE",
              "Silence = TRUE",
              "Crashes = \"none\"",
              "FastPath = FALSE",
              "Mistakes = 0",
              "KeepsLog = TRUE",
              "Yields = TRUE"),
          true,
          List.of(
              "ElectionSafety", "LogMatching", "LeaderCompleteness", "WitnessesTakeNoProposals"),
          List.of("StateMachineSafety"),
          Check.HOLDS);

  private static final Check FAST_PATH =
      ELECTIONS.with("Silence", "FALSE").with("FastPath", "TRUE").with("MaxLog", "2");

  private static final Check WITNESS = ELECTIONS.with("Full", "{a, b}").with("Witnesses", "{w}");

  /** The leader's process ends, its followers notice: the shortest way to a witness that leads. */
  private static final Check LEADER_LOST =
      WITNESS.with("Silence", "FALSE").with("FastPath", "TRUE").with("Crashes", "\"for_good\"");

  private static final Check LEASE =
      new Check(
          "",
          "LeaseReads",
          constants(
              "None = None",
              "Members = {a, b, c}",
              "MaxTerm = 2",
              "Timeout = 3",
              "Lease = 1",
              "Apart = 1",
              "FastPath = FALSE",
              "Mistaken = FALSE",
              "RestartSticky = TRUE",
              "HandOverEnds = \"term\""),
          true,
          List.of("Types", "ElectionSafety", "LinearizableReads"),
          List.of(),
          Check.HOLDS);

  /** Clocks that agree, and so a lease as long as stickiness. */
  private static final Check LEASE_ON_ONE_CLOCK = LEASE.with("Apart", "0").with("Lease", "3");

  private Checks() {}

  /** Part of every test run. */
  static List<Check> usual() {
    return Stream.of(elections(), witnesses(), leaseReads()).flatMap(List::stream).toList();
  }

  private static List<Check> elections() {
    return List.of(
        ELECTIONS.holds("three full members are safe"),
        FAST_PATH.with("Mistakes", "3").holds("the fast path is safe even if all are mistaken"),
        FAST_PATH.with("Mistakes", "1").holds("one mistaken member elects nobody", "Undisturbed"),
        FAST_PATH
            .with("Mistakes", "2")
            .violates("two mistaken members of three elect a leader", "Undisturbed"),
        FAST_PATH
            .with("Crashes", "\"for_good\"")
            .violates("the fast path elects without anybody's silence", "NoNewLeader"),
        FAST_PATH
            .with("Crashes", "\"for_good\"")
            .with("FastPath", "FALSE")
            .holds("without the fast path an election needs silence", "NoNewLeader"),
        ELECTIONS.violates("an old leader leads beside a new one", "NoTwoLeaders"),
        ELECTIONS.violates("a new leader commits", "NoCommitByANewLeader"));
  }

  private static List<Check> witnesses() {
    return List.of(
        WITNESS.holds("two full members and a witness are safe"),
        WITNESS
            .with("KeepsLog", "FALSE")
            .violates("a witness that keeps no log loses what is committed", "LeaderCompleteness"),
        WITNESS
            .with("MaxLog", "2")
            .holds("a witness never leads if a full member lacks nothing", "NoWitnessLeads"),
        WITNESS
            .with("MaxLog", "2")
            .with("Yields", "FALSE")
            .violates("a witness would lead if full members did not refuse", "NoWitnessLeads"),
        LEADER_LOST.violates("a witness leads if it alone has the log", "NoWitnessLeads"),
        LEADER_LOST
            .with("MaxTerm", "4")
            .violates("a witness that leads hands over", "NoWitnessHandsOver"));
  }

  private static List<Check> leaseReads() {
    return List.of(
        LEASE.holds("lease reads are linearizable"),
        LEASE_ON_ONE_CLOCK.holds("a lease needs no margin if clocks agree"),
        LEASE
            .with("Lease", "2")
            .violates("a margin below the drift is too small", "LinearizableReads"),
        LEASE
            .with("Timeout", "2")
            .with("Lease", "2")
            .violates("a lease without a margin tolerates no drift", "LinearizableReads"),
        LEASE
            .with("RestartSticky", "FALSE")
            .violates("a lease needs stickiness after a restart", "LinearizableReads"),
        LEASE
            .with("HandOverEnds", "\"nothing\"")
            .violates("a hand-over must end the lease", "LinearizableReads"),
        LEASE
            .with("HandOverEnds", "\"attempt\"")
            .violates("a hand-over that failed must not bring the lease back", "LinearizableReads"),
        LEASE
            .with("FastPath", "TRUE")
            .with("Mistaken", "TRUE")
            .violates("a lease excludes the fast path", "LinearizableReads"),
        LEASE_ON_ONE_CLOCK
            .with("FastPath", "TRUE")
            .holds("a lease would tolerate a fast path that is never mistaken"),
        LEASE.violates("a new leader answers on its lease", "NoReadAfterAChangeOfLeader"),
        LEASE.violates("an old leader outlives the commit of a new one", "NoTwoLeaders"),
        LEASE.violates("a successor takes over", "NoLeaderByHandOver"));
  }

  /** The properties that must hold, with larger bounds: for an afternoon. */
  static List<Check> large() {
    return List.of(
        ELECTIONS
            .with("Steady", "FALSE")
            .with("MaxTerm", "4")
            .holds("three full members are safe from their first election on"),
        ELECTIONS
            .with("MaxTerm", "4")
            .with("Crashes", "\"with_restart\"")
            .with("FastPath", "TRUE")
            .with("Mistakes", "3")
            .holds("three full members are safe with everything that goes wrong"),
        WITNESS.with("MaxTerm", "4").holds("two full members and a witness are safe in four terms"),
        LEASE.with("MaxTerm", "3").holds("lease reads are linearizable over three terms"),
        LEASE
            .with("Timeout", "5")
            .with("Lease", "3")
            .holds("lease reads are linearizable with a longer lease"));
  }

  private static Map<String, String> constants(String... assignments) {
    Map<String, String> constants = new LinkedHashMap<>();
    for (String assignment : assignments) {
      String[] sides = assignment.split(" = ", 2);
      constants.put(sides[0], sides[1]);
    }
    return constants;
  }
}
