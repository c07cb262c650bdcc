package io.holdfast.simulation.planted;

import java.util.List;

/** All planted bugs of the ages of grants with a ttl of their own. */
final class PlantedAgeBugs {

  private static final String AGEING = "../entity/Ageing";
  private static final String KEEPER = "../entity/Keeper";

  static final List<PlantedBug> ALL =
      List.of(
          PlantedBug.of(
              "own ttl begins anew with each owner",
              KEEPER,
              "ttl.plus(doubt) : ttl.minus(holder.aged());",
              "ttl.plus(doubt) : ttl;"),
          PlantedBug.of(
              "sign of life is answered over an age",
              AGEING,
              "    return recorded == 0 && !measured;",
              "    return !measured;"),
          PlantedBug.of(
              "sign of life is answered while an age is on its way",
              AGEING,
              "    return recorded == 0 && !measured;",
              "    return recorded == 0;"),
          PlantedBug.of(
              "doubt counts as age",
              KEEPER,
              "now + left.toNanos() - ttl.toNanos());",
              "now - holder.aged().toNanos());"),
          PlantedBug.of(
              "reentry does not set the age back",
              "../lock/Holder",
              "token, life, changed, metadata);",
              "token, life, changed, metadata, aged);"),
          PlantedBug.of(
              "age is measured when it is due",
              AGEING,
              "    long used = now - lastSign;\n",
              "    long used = Math.max(now - lastSign, step);\n"));

  private PlantedAgeBugs() {}
}
