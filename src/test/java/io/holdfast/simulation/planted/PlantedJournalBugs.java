package io.holdfast.simulation.planted;

import java.util.List;

/**
 * All planted bugs of the whole: of coordination and the journal in the log, and of a node's part
 * in them. A few are planted in what the simulation's own node runs above.
 */
final class PlantedJournalBugs {

  private static final String NODE = "simulation/journal/";

  static final List<PlantedBug> ALL =
      List.of(
          PlantedBug.of(
                  "renewal counts from the receipt of its answer",
                  coordination("SessionValidity"),
                  "  public void acknowledged(long attempt) {\n"
                      + "    Reading first = open.get(attempt);",
                  "  public void acknowledged(long attempt, long nowMs) {"
                      + " Reading sent = open.get(attempt);"
                      + " Reading first = sent == null ? null"
                      + " : new Reading(nowMs, sent.wallMs + nowMs - sent.monotonicMs);")
              .andIn(
                  coordination("SessionKeeper"),
                  "alive -> confirmed(command, alive)",
                  "alive -> confirmed(command, alive, nowMs)")
              .and(
                  "private void confirmed(CoordinationCommand command, Session alive) {",
                  "private void confirmed(CoordinationCommand command, Session alive, long nowMs)"
                      + " {")
              .and(
                  "validity.acknowledged(renew.renewal());",
                  "validity.acknowledged(renew.renewal(), nowMs);")
              .and("validity.acknowledged(0);", "validity.acknowledged(0, nowMs);"),
          PlantedBug.of(
                  "renewal counts from its last send",
                  coordination("SessionValidity"),
                  "  /** The time when the next renewal begins. */",
                  "  public void sentAgain(long number, long monotonicMs, long wallMs) {"
                      + " open.replace(number, new Reading(monotonicMs, wallMs)); }")
              .andIn(
                  coordination("SessionKeeper"),
                  "      sendAtMs = NEVER;\n",
                  "      sendAtMs = NEVER;"
                      + " if (session != null) validity.sentAgain(attempt, nowMs, nowWallMs);\n"),
          PlantedBug.of(
                  "suspension is not noticed",
                  coordination("SessionValidity"),
                  "        && nowWallMs - acknowledged.wallMs < times.validForMs()\n",
                  "")
              .and("        && !wasSuspended(nowMonotonicMs, nowWallMs);", ";"),
          PlantedBug.of(
              "expiry does not ask for the renewal",
              coordination("SessionRules"),
              "} else if (session.renewal() != ifRenewal) {",
              "} else if (session.renewal() < ifRenewal) {"),
          PlantedBug.of(
              "leader counts from what it saw first of a session",
              coordination("SessionClock"),
              "sights.put(session, new Sight(renewal, ttlMs, nowMs));",
              "sights.put(session, new Sight(renewal, ttlMs, before == null ? nowMs :"
                  + " before.atMs));"),
          PlantedBug.of(
              "dead incarnation revives",
              coordination("SessionRules"),
              "} else if (open.incarnation() <= members.incarnation(member)) {",
              "} else if (open.incarnation() < 1) {"),
          PlantedBug.of(
              "token block is given out again",
              coordination("Numbers"),
              "    lastToken += TokenBlock.SIZE;\n",
              ""),
          PlantedBug.of(
              "early expiry leaves no mark",
              coordination("SessionRules"),
              "      if (cause.isInDoubt()) {",
              "      if (cause.isInDoubt() && owned.isEmpty()) {"),
          PlantedBug.of(
              "mark is lost when the shard moves on",
              coordination("ShardTable"),
              "new Row(epoch, session, session, request, mark(shard));",
              "new Row(epoch, session, session, request, UncertainMark.NONE);"),
          PlantedBug.of(
              "mark is taken off at once",
              coordination("LeaderDuties"),
              "if (nowMs > seen.atMs + seen.ttlMs) {",
              "if (nowMs > seen.atMs) {"),
          PlantedBug.of(
              "recovery does not add the doubt",
              NODE + "Shop",
              "view.ttlMs() + doubtMs;",
              "view.ttlMs();"),
          PlantedBug.of(
              "keepalive takes the doubt off",
              NODE + "Holding",
              "Math.max(atMs, laterMs)",
              "laterMs"),
          PlantedBug.of(
              "keepalive is acknowledged without a valid session",
              NODE + "Shop",
              "    if (isValid) {\n      keepAlive",
              "    if (nowMs >= 0) {\n      keepAlive"),
          PlantedBug.of(
              "acquire by the owner is answered with what it has",
              coordination("ShardRules"),
              "    Epoch epoch = new Epoch(numbers.next());",
              "    Epoch epoch = shards.owner(shard).equals(session.id())"
                  + " ? shards.fence(shard) : new Epoch(numbers.next());"),
          PlantedBug.of(
              "fence does not rise at release",
              coordination("ShardRules"),
              "    Epoch fence = new Epoch(numbers.next());",
              "    Epoch fence = release.epoch();"),
          PlantedBug.of(
              "fence does not rise when a session ends",
              coordination("SessionRules"),
              "      shards.vacate(shard, new Epoch(numbers.next()));",
              "      shards.vacate(shard, shards.fence(shard));"),
          PlantedBug.of(
                  "node serves a shard until its release is answered",
                  node("OwnedShards"),
                  "          Holding held = holdings.remove(shard);",
                  "          Holding held = holdings.get(shard);")
              .and(
                  "            held.ownership.end();\n            release(",
                  "            var unused = done.thenRun(() -> { held.ownership.end();"
                      + " holdings.remove(shard, held); });\n            release("),
          PlantedBug.of(
              "acquire and release of a shard are not in turn",
              node("OwnedShards"),
              "    if (before == null || before.isDone()) {",
              "    if (before == null || before.isDone() || shard >= 0) {"),
          PlantedBug.of(
              "shard that came late is kept unwanted",
              node("OwnedShards"),
              "    if (session == null || (asking != null && !asking.isDone())) {",
              "    if (session == null || asking == null || !asking.isDone() || shard.value() >= 0)"
                  + " {"),
          PlantedBug.of(
              "ownership that a late acquire has fenced goes on",
              node("OwnedShards"),
              "              Holding fenced = holdings.remove(shard.value());",
              "              Holding fenced = null;"),
          PlantedBug.of(
              "ownership stays after the end of the session",
              node("NodeCoordination"),
              "                shards.sessionEnded(reason);\n",
              ""),
          PlantedBug.of(
              "epoch is looked up for the write",
              NODE + "LockActor",
              "    long epoch = this.epoch;",
              "    long epoch = Math.max(1, node.epochNow(shard));"),
          PlantedBug.of(
              "sequence number is not checked",
              journal("Shard"),
              "if (append.sequenceNr() != history.highest() + 1) {",
              "if (append.sequenceNr() < 1) {"),
          PlantedBug.of(
              "number that was seen is judged again",
              journal("VerdictRecord"),
              "    return Optional.of(new Frozen(epoch, last, size, chunks).of(turn.number()));",
              "    return Optional.empty();"),
          PlantedBug.of(
                  "numbers are forgotten with their key",
                  journal("Shard"),
                  "    if (known.isPresent()) {\n      return known.get();\n    }\n"
                      + "    byte[] key = Bytes.of(append.persistenceId()).array();",
                  "    byte[] key = Bytes.of(append.persistenceId()).array();\n"
                      + "    boolean isForgotten = known.isPresent() && histories.get(key) == null"
                      + " && !(known.get() instanceof Verdict.Gap"
                      + " || known.get() instanceof Verdict.Fenced);\n"
                      + "    if (known.isPresent() && !isForgotten) {\n"
                      + "      return known.get();\n    }")
              .and(
                  "    verdicts.record(append.turn(), verdict);",
                  "    if (!isForgotten) verdicts.record(append.turn(), verdict);"),
          PlantedBug.of(
              "precondition is checked before the append only",
              journal("Shard"),
              "    for (LeaseRef lease : append.draft().whileAlive()) {\n"
                  + "      if (!leases.isAlive(lease)) {",
              "    for (LeaseRef lease : append.draft().whileAlive()) {\n"
                  + "      if (!leases.isAlive(lease) && append.event() == null) {"),
          PlantedBug.of(
              "record outlives the lease that it hangs on",
              journal("Applying"),
              "        parts += shard.detach(",
              "        if (parts < 0) parts += shard.detach("),
          PlantedBug.of(
              "request that was answered is answered again",
              journal("Shard"),
              "    if (answered.isPresent()) {",
              "    if (answered.isPresent() && append.draft().answers().isEmpty()) {"),
          PlantedBug.of(
                  "release is refused when all is full",
                  journal("Applying"),
                  "    if (need == Need.NOTHING) {",
                  "    if (need == null) {")
              .andIn(
                  journal("Need"),
                  "      case NOTHING -> Long.MAX_VALUE;",
                  "      case NOTHING -> max;"),
          PlantedBug.of(
              "member that began with a snapshot accounts for less",
              journal("Shard"),
              "          account.changed(History.NONE, History.decode(\"\", value));\n",
              ""),
          PlantedBug.of(
              "grant passes the bound of all that is kept",
              journal("Need"),
              "      case ROOM -> max;",
              "      case ROOM -> Long.MAX_VALUE;"),
          PlantedBug.of(
              "session of a removed member does not expire",
              node("Leading"),
              "            .filter(command -> !endsUnheard(command, state, nowMs))\n",
              "            .filter(command -> !endsUnheard(command, state, nowMs))\n"
                  + ".filter(command -> !(command instanceof CoordinationCommand.ExpireSession end)"
                  + " || state.session(end.session()).stream().allMatch(each -> state.members()"
                  + ".stream().anyMatch(row -> row.id().equals(each.member()))))"),
          PlantedBug.of(
              "coordination does not hear of changed members",
              node("CoordinationMachine"),
              "    apply(index, 0, new CoordinationCommand.Configure(configured(members)));\n",
              ""),
          PlantedBug.of(
              "removed voters count for a majority",
              coordination("MemberTable"),
              "    configured.clear();\n",
              ""),
          PlantedBug.of(
              "nobody is expelled",
              coordination("LeaderDuties"),
              "    if (!views.isEmpty() && nowMs",
              "    if (views.size() > 1_000 && nowMs"),
          PlantedBug.of(
                  "cluster is formed beside another",
                  coordination("ClusterRules"),
                  "sessions.all().stream().anyMatch(Session::isJoined)",
                  "session.isJoined()")
              .and("form.joinings() != cluster.joinings()", "form.joinings() < 0"));

  private PlantedJournalBugs() {}

  private static String coordination(String type) {
    return "../coordination/state/" + type;
  }

  private static String node(String type) {
    return "../coordination/" + type;
  }

  private static String journal(String type) {
    return "../journal/state/" + type;
  }
}
