package io.holdfast.simulation.planted;

import java.util.List;

/** All planted bugs of coordination: of the state in the log, and of the clocks on both sides. */
final class PlantedCoordinationBugs {

  private static final String NODE = "simulation/coordination/SimulatedNode";

  static final List<PlantedBug> ALL =
      List.of(
          PlantedBug.of(
                  "renewal counts from the receipt of its answer",
                  state("SessionValidity"),
                  "  public void acknowledged(long attempt) {\n"
                      + "    Reading first = open.get(attempt);",
                  "  public void acknowledged(long attempt, long monotonicMs, long wallMs) {"
                      + " Reading first = open.get(attempt) == null ? null"
                      + " : new Reading(monotonicMs, wallMs);")
              .andIn(
                  NODE,
                  "validity.acknowledged(number);",
                  "validity.acknowledged(number, clock.monotonicMs(), clock.wallMs());"),
          PlantedBug.of(
                  "renewal counts from its last send",
                  state("SessionValidity"),
                  "  /** The time when the next renewal begins. */",
                  "  public void sentAgain(long number, long monotonicMs, long wallMs) {"
                      + " open.replace(number, new Reading(monotonicMs, wallMs)); }")
              .andIn(
                  NODE,
                  "    long number = attempt;",
                  "    long number = attempt;"
                      + " validity.sentAgain(number, clock.monotonicMs(), clock.wallMs());"),
          PlantedBug.of(
              "renewal that was not acknowledged counts",
              state("SessionValidity"),
              "      acknowledged = first;",
              "      acknowledged = newest;"),
          PlantedBug.of(
              "session is valid without a margin",
              state("SessionTimes"),
              "return ttlMs - marginMs();",
              "return ttlMs;"),
          PlantedBug.of(
                  "suspension is not noticed",
                  state("SessionValidity"),
                  "        && nowWallMs - acknowledged.wallMs < times.validForMs()\n",
                  "")
              .and("        && !wasSuspended(nowMonotonicMs, nowWallMs);", ";"),
          PlantedBug.of(
              "expiry does not ask for the renewal",
              state("SessionRules"),
              "} else if (session.renewal() != ifRenewal) {",
              "} else if (session.renewal() < ifRenewal) {"),
          PlantedBug.of(
              "leader counts from when it began, not from the renewal",
              state("SessionClock"),
              "sights.put(session, new Sight(renewal, ttlMs, nowMs));",
              "sights.put(session, new Sight(renewal, ttlMs, before == null ? nowMs :"
                  + " before.atMs));"),
          PlantedBug.of(
              "ttl counts from before a snapshot was seen",
              state("SessionClock"),
              "sessions.forEach(session -> saw(session, nowMs));",
              "sessions.forEach(session -> saw(session, nowMs - session.ttlMs() / 2));"),
          PlantedBug.of(
              "dead incarnation revives",
              state("SessionRules"),
              "} else if (open.incarnation() <= members.incarnation(member)) {",
              "} else if (open.incarnation() < 1) {"),
          PlantedBug.of(
              "dead incarnations are forgotten in a snapshot",
              state("MemberTable"),
              "      table.began(new NodeId(in.getLong()), in.getLong());",
              "      table.incarnations.put(new NodeId(in.getLong()), 0 * in.getLong());"),
          PlantedBug.of(
              "token block is given out again",
              state("Numbers"),
              "    lastToken += TokenBlock.SIZE;\n",
              ""),
          PlantedBug.of(
              "fence does not rise at release",
              state("ShardRules"),
              "    Epoch fence = new Epoch(numbers.next());",
              "    Epoch fence = release.epoch();"),
          PlantedBug.of(
              "fence does not rise when a session ends",
              state("SessionRules"),
              "      shards.vacate(shard, new Epoch(numbers.next()));",
              "      shards.vacate(shard, shards.fence(shard));"),
          PlantedBug.of(
              "acquire by the owner is answered with what it has",
              state("ShardRules"),
              "    Epoch epoch = new Epoch(numbers.next());",
              "    Epoch epoch = shards.owner(shard).equals(session.id())"
                  + " ? shards.fence(shard) : new Epoch(numbers.next());"),
          PlantedBug.of(
              "shard of a live session is given away",
              state("ShardRules"),
              "return owner.equals(SessionId.NONE) || owner.equals(session);",
              "return true;"),
          PlantedBug.of(
                  "cluster is formed beside another",
                  state("ClusterRules"),
                  "sessions.all().stream().anyMatch(Session::isJoined)",
                  "session.isJoined()")
              .and("form.joinings() != cluster.joinings()", "form.joinings() < 0"),
          PlantedBug.of(
              "who joined the cluster before counts as joined",
              state("ClusterRules"),
              "        || !joined.formation().equals(cluster.formation())) {",
              "        || cluster.formation().equals(FormationId.NONE)) {"));

  private PlantedCoordinationBugs() {}

  private static String state(String type) {
    return "../coordination/state/" + type;
  }
}
