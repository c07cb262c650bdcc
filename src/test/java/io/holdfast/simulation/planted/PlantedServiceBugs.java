package io.holdfast.simulation.planted;

import java.util.List;

/** All planted bugs of a service that is a member of the cluster, and of how it follows the log. */
final class PlantedServiceBugs {

  private static final String AKKA = "../coordination/akka/";
  private static final String CLUSTER = "simulation/cluster/";

  static final List<PlantedBug> ALL =
      List.of(
          PlantedBug.of(
              "service takes entries behind a gap",
              AKKA + "Following",
              "    if (!follows || entries.after() != applied) {",
              "    if (!follows) {"),
          PlantedBug.of(
                  "service takes a state that is older than what it knows",
                  AKKA + "Following",
                  "    if (image.index() < applied) {",
                  "    if (image.index() < 0) {")
              .andIn(AKKA + "Followers", "    if (isBehind || isFull ||", "    if (isFull ||"),
          PlantedBug.of(
              "service waits for ever for what was lost on the way",
              AKKA + "Following",
              "    end(nowMs - ANSWER_WITHIN_MS);\n",
              ""),
          PlantedBug.of(
                  "service goes on by a node that hears from no majority",
                  AKKA + "Following",
                  "    leaves = !status.serves() || status.told()",
                  "    leaves = status.told()")
              .and("follows && nowMs - newsAtMs >= newsWithinMs", "follows && newsWithinMs < 0"),
          PlantedBug.of(
              "service acts on after its session has ended",
              CLUSTER + "ServiceMember",
              "    if (!exits) {\n      exits = true;",
              "    if (!exits && session.endedUs() == 0) {\n      exits = true;"));

  private PlantedServiceBugs() {}
}
