package io.holdfast.simulation.planted;

import java.util.List;

/** Planted bugs of a node's part in coordination that a test finds, and no simulation. */
final class PlantedNodeBugs {

  private static final String NODE = "../coordination/";

  static final List<PlantedBug> ALL =
      List.of(
          PlantedBug.of(
              "session opens before the node has caught up",
              NODE + "NodeCoordination",
              "outcome.isSafe() && machine.read(",
              "outcome.isSafe() || machine.read("),
          PlantedBug.of(
              "new leader does not listen first",
              NODE + "Leading",
              "      duties.leads(nowMs);\n    } else if",
              "    } else if"),
          PlantedBug.of(
              "word on a gone process is not given again",
              NODE + "NodeCoordination",
              "            gonePeers.notHeard(report);\n",
              ""));

  private PlantedNodeBugs() {}
}
