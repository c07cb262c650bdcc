package io.holdfast.simulation.planted;

import java.util.List;
import java.util.stream.Stream;

/**
 * All planted bugs of the actors of locks and leases, of their keepers, of watches, and of what a
 * client owes them. The latter are planted in the simulation's own client.
 */
final class PlantedClusterBugs {

  private static final String CLIENT = "simulation/cluster/";

  /* The journal looks once more at what the actors have looked at. */
  private static final String RECORD_LIVES = "if (lease != null && !leases.isAlive(lease)) {";
  private static final String RECORD_MAY_NOT_LIVE = "if (lease != null && lease.id() == 0) {";
  private static final String REAL =
      "../../../../../../client/src/main/java/io/holdfast/client/session/";

  private static final List<PlantedBug> OF_LOCKS =
      List.of(
          PlantedBug.of(
                  "lock is granted to a dead lease",
                  entity("LockWrite"),
                  ".flatMap(LockWrite::lease)",
                  ".flatMap(LockWrite::lease).filter(each -> each.id() == 0)")
              .andIn(journal("state/LeaseRules"), RECORD_LIVES, RECORD_MAY_NOT_LIVE),
          PlantedBug.of(
                  "waiter is granted the lock without a look at its lease",
                  lock("Line"),
                  "        each.living.forEach(place -> ended.put(place.number, place.waiter));\n",
                  "")
              .andIn(entity("LockWrite"), "          .or(() -> handedOver(event))\n", "")
              .andIn(journal("state/LeaseRules"), RECORD_LIVES, RECORD_MAY_NOT_LIVE),
          PlantedBug.of(
              "line is lost at fail-over",
              journal("LockHistory"),
              "      return lock;",
              "      return new LockState(lock.holders(), java.util.List.of());"),
          PlantedBug.of(
              "order of the line is lost at fail-over",
              journal("LockHistory"),
              "      return lock;",
              "      java.util.List<io.holdfast.lock.Waiter> line ="
                  + " new java.util.ArrayList<>(lock.waiters());"
                  + " java.util.Collections.reverse(line);"
                  + " return new LockState(lock.holders(), line);"),
          PlantedBug.of(
              "word of an earlier keeper counts",
              entity("LockRoutine"),
              "      if (due.epoch() != terms.owned().epoch()) {",
              "      if (due.epoch() > terms.owned().epoch()) {"),
          PlantedBug.of(
              "late copy of a lease's grant begins it again",
              "../lease/LeaseMachine",
              " || event instanceof LeaseEvent.Granted",
              ""),
          PlantedBug.of(
              "release does not look at the token",
              lock("Deciding"),
              "    Holder holder = known(release.token()).orElse(null);",
              "    Holder holder = now.state().holder().orElse(null);"),
          PlantedBug.of(
              "expiry does not look at the token",
              lock("Deciding"),
              "    Holder holder = known(expire.token()).orElse(null);",
              "    Holder holder = now.state().holder().orElse(null);"),
          PlantedBug.of(
                  "hand-over is two events",
                  lock("Deciding"),
                  "    now.happened(new LockEvent.HandedOver(holder.token(), ending, next));",
                  "    now.happened(new LockEvent.Left(first.request().id(),"
                      + " LeaveCause.CANCELLED)); now.happened(new LockEvent.Freed(holder.token(),"
                      + " ending)); now.happened(new LockEvent.Granted(next));")
              .andIn(
                  lock("LockState"),
                  "    require(waiters.isEmpty() || !holders.isEmpty(), \"I12 Live: a free lock has"
                      + " waiters\", waiters);\n",
                  ""),
          PlantedBug.of(
                  "last in line is first",
                  lock("Deciding"),
                  "    Waiter first = now.state().waiters().get(0);",
                  "    Waiter first = now.state().waiters().get(now.state().waiters().size() - 1);")
              .andIn(
                  lock("LockState"),
                  "position(event.next().request().id()) == 1",
                  "position(event.next().request().id()) >= 1"),
          PlantedBug.of(
              "keepalive is acknowledged without a valid session",
              entity("Keeper"),
              "    } else if (!isSure.getAsBoolean()) {",
              "    } else if (!isSure.getAsBoolean() && held.size() < 0) {"),
          PlantedBug.of(
              "sign of life counts once the end is on its way",
              entity("Keeper"),
              "    if (deadlines.isDue(what)) {",
              "    if (deadlines.isDue(what) && held.size() < 0) {"),
          PlantedBug.of(
              "own ttl ends too early",
              entity("Keeper"),
              "clock.getAsLong() + fromNow.toNanos()",
              "clock.getAsLong() + fromNow.toNanos() * 9 / 10"),
          PlantedBug.of(
              "deadlines are of the wall clock",
              CLIENT + "ClusterTenant",
              "process.clock().nowMs() * 1_000_000",
              "process.clock().wallMs() * 1_000_000"),
          PlantedBug.of(
              "keeper does not add the doubt",
              entity("Keepers"),
              "      this.doubt = owned.doubt();",
              "      this.doubt = owned.doubt().dividedBy(1_000_000);"),
          PlantedBug.of(
              "keeper does not learn what was there before",
              entity("Keepers"),
              "    keeper.found(key, state, doubt, hasOrphans(version, state));",
              "    if (state == null) keeper.found(key, state, doubt, hasOrphans(version,"
                  + " state));"),
          PlantedBug.of(
              "end of a lease wakes nobody",
              entity("Keepers"),
              "    for (AttachedId id : end.had()) {",
              "    for (AttachedId id : end.had().subList(0, 0)) {"),
          PlantedBug.of(
              "new owner does not look for the orphans",
              entity("Keepers"),
              "    keeper.found(key, state, doubt, hasOrphans(version, state));",
              "    keeper.found(key, state, doubt, false);"),
          PlantedBug.of(
              "waiter does not hang on its lease",
              entity("LockWrite"),
              "        : lock.waiters().stream()\n",
              "        : lock.waiters().stream().limit(0)\n"),
          PlantedBug.of(
              "outcomes of requests are not kept",
              entity("PastRequests"),
              "    return settled.entrySet().stream()\n",
              "    return settled.entrySet().stream().limit(0)\n"),
          PlantedBug.of(
              "request is forgotten and begins anew",
              lock("Earlier"),
              "    return given.isForgotten().test(request);",
              "    return false;"),
          PlantedBug.of(
              "answer is given before the events are persisted",
              entity("LockRoutine"),
              "    return Reaction.persist(\n        write.event(),\n",
              "    answer(together, at -> 0); return Reaction.persist(\n        write.event(),\n"),
          PlantedBug.of(
              "keeper puts back what ended while it learned",
              entity("KeptLeases"),
              "    if (!complete) {\n      endedSince.add(lease);",
              "    if (!complete && endedSince.size() < 0) {\n      endedSince.add(lease);"),
          PlantedBug.of(
              "end of a lease is not heard while another is swept",
              entity("Keeper"),
              "    if (orphaned.getOrDefault(key, 0L) > upTo) {",
              "    if (orphaned.getOrDefault(key, 0L) > upTo && upTo < 0) {"),
          PlantedBug.of(
              "refusal of one copy counts while another is on its way",
              entity("Resending"),
              "    return !isRepeated || answer.kept();",
              "    return true;"),
          PlantedBug.of(
              "refusal of one copy of a unary request is told",
              entity("LockRequests"),
              "                  resending.isOutcome(answer)\n",
              "                  answer.number() == 0\n"),
          PlantedBug.of(
              "unanswered request without an id is not cancelled",
              entity("LockRequests"),
              "    if (isUnanswered) {",
              "    if (isUnanswered && answerWithin.isNegative()) {"),
          PlantedBug.of(
              "service counts a grant from its answer",
              entity("LockRef"),
              "acquired.manner() == Outcome.Manner.AT_ONCE && grant.isSureFrom(sentNanos);",
              "acquired.manner() == Outcome.Manner.AT_ONCE && grant.isSureFrom(door.nowNanos());"),
          PlantedBug.of(
              "service does not confirm a grant after waiting",
              entity("LockRef"),
              "acquired.manner() == Outcome.Manner.AT_ONCE && grant.isSureFrom(sentNanos);",
              "grant.isSureFrom(acquired.manner() == Outcome.Manner.AT_ONCE ? sentNanos :"
                  + " door.nowNanos());"),
          PlantedBug.of(
              "service counts a renewal from its answer",
              entity("LockGrant"),
              "              isSureFrom(sentNanos);",
              "              isSureFrom(door.nowNanos());"),
          PlantedBug.of(
              "release that is not answered is forgotten",
              entity("GivingBack"),
              "      if (failure == null && !isPassing(answer)) {\n        whenOver.run();",
              "      if (kept.get() >= 0) {\n        whenOver.run();"),
          PlantedBug.of(
                  "grant of a given-up attempt is not given back",
                  entity("LockDoor"),
                  "                cancel.run();\n",
                  "")
              .and("granted.ifPresent(LockDoor::giveBack);", "granted.ifPresent(grant -> {});")
              .andIn(
                  entity("LockRequests"),
                  "nobodyWaits.thenRun(() -> unanswered.complete(true));",
                  "nobodyWaits;"),
          PlantedBug.of(
              "reentry renews nothing",
              lock("Deciding"),
              "        && now.found().holder(acquired.token()).isPresent();",
              "        && now.found().holder(acquired.token()).isPresent()"
                  + " && now.found().equals(now.state());"),
          PlantedBug.of(
              "reentry is told though its grant is being ended",
              entity("LockRoutine"),
              "sign(decision).map(this::renew).orElse(true);",
              "sign(decision).map(renewal -> renew(renewal) || true).orElse(true);"),
          PlantedBug.of(
              "that a grant stands is told without a look",
              entity("LockRoutine"),
              "      if (!hasEnded) {\n        tell(reply.asked,",
              "      if (!hasEnded || replies.contains(reply)) {\n        tell(reply.asked,"),
          PlantedBug.of(
              "answer without an event is not confirmed",
              entity("Confirmation"),
              "            .confirmed()\n",
              "            .settled(owned.shard())\n"),
          PlantedBug.of(
              "replay does not wait for what is on its way",
              journal("RaftJournalStore"),
              "          .forEach(lane -> answers.addAll(lane.answers()));",
              "          .forEach(lane -> answers.addAll(List.of()));"),
          PlantedBug.of(
              "negative answer of a lock is told from memory",
              entity("LockRoutine"),
              "          unconfirmed.add(new Unconfirmed(asked, decision));",
              "          tell(asked, decision, revision.applyAsLong(decision.at()));"),
          PlantedBug.of(
              "negative answer of a keeper is told from memory",
              entity("OpenRenewals"),
              "    return answer.alive() || renewal instanceof Renewal.Look;",
              "    return true;"),
          PlantedBug.of(
              "refusal carries the revision after its batch",
              entity("LockWrite"),
              "    return changes == 0 ? revisionBefore : ",
              "    return changes == 0 ? event.applied().revision() : "),
          PlantedBug.of(
              "end of a waiting carries the revision after its batch",
              entity("LockRoutine"),
              "        long at = revision.applyAsLong(notice.at());",
              "        long at = revision.applyAsLong(batch.events().size());"),
          PlantedBug.of(
              "one decision reads two versions of the journal",
              entity("LockRoutine"),
              "            past::isForgotten,\n",
              "            request -> new PastRequests(terms.store().version(), scope)"
                  + ".isForgotten(request),\n"),
          PlantedBug.of(
              "read does not ask the majority",
              entity("LockReads"),
              "    return linearizable ? barrier.caughtUp()",
              "    return linearizable && store == null ? barrier.caughtUp()"),
          PlantedBug.of(
              "watch goes on one revision too late",
              "../watch/Watch",
              "    from = after.revision() + 1;",
              "    from = after.revision() + 2;"),
          PlantedBug.of(
              "watch is not told that the history began anew",
              "../watch/WatchStream",
              "      voice.watch.beginAnew(hub.history(), revision);",
              "      if (revision < 0) voice.watch.beginAnew(hub.history(), revision);"),
          PlantedBug.of(
              "client counts from the receipt of the answer",
              CLIENT + "Handle",
              "deadlineMs = Math.max(deadlineMs, sentMs + ",
              "deadlineMs = Math.max(deadlineMs, client.nowMs() + "),
          PlantedBug.of(
              "client counts from the last attempt",
              CLIENT + "Handle",
              "      call = send(acquire, acquire.request(), outcome",
              "      firstSentMs = client.nowMs();\n"
                  + "      call = send(acquire, acquire.request(), outcome"),
          PlantedBug.of(
              "client takes a late grant",
              CLIENT + "Handle",
              "    phase = Phase.HOLDING;\n",
              "    phase = Phase.HOLDING;\n    deadlineMs = Math.max(deadlineMs,"
                  + " client.nowMs() + ClientProcess.surelyMs(life.ttl().millis()) / 2);\n"),
          PlantedBug.of(
              "store takes a smaller token",
              CLIENT + "ProtectedStore",
              "    if (token < largest.getOrDefault(key, 0L)) {",
              "    if (token < 0) {"),
          PlantedBug.of(
              "store refuses an equal token",
              CLIENT + "ProtectedStore",
              "    if (token < largest.getOrDefault(key, 0L)) {",
              "    if (token <= largest.getOrDefault(key, 0L)) {"),
          PlantedBug.of(
              "client forgets a release that is not answered in time",
              CLIENT + "Handle",
              "      session.owe(key, command, request, lease);",
              "      session.done(request);"),
          PlantedBug.of(
              "client does not give back what was lost while its session lives",
              CLIENT + "Handle",
              "      client.locks().count(\"lost\");\n      release();\n    }\n  }",
              "      client.locks().count(\"lost\");\n      rest();\n    }\n  }"),
          PlantedBug.of(
              "client forgets the copies of a request that was refused",
              CLIENT + "Handle",
              "    } else if (client.hasCopies(acquire.request())) {",
              "    } else if (client.isDead()) {"),
          PlantedBug.of(
              "client does not confirm a grant after waiting",
              CLIENT + "Handle",
              "      if (acquired.manner() == Outcome.Manner.AT_ONCE) {\n"
                  + "        deadlineMs = firstSentMs",
              "      if (acquired.isHeld()) {\n        deadlineMs = client.nowMs()"),
          PlantedBug.of(
              "real client counts a renewal from its answer",
              REAL + "Grants",
              "              grant.validity().renewed(firstSentNanos,",
              "              grant.validity().renewed(answeredAt,"),
          PlantedBug.of(
              "real client counts its session from the last keepalive",
              REAL + "Lease",
              "      renewed(sent, grantedTtlMillis);",
              "      renewed(lastSentAt, grantedTtlMillis);"),
          PlantedBug.of(
              "real client forgets the copies of a request that was refused",
              REAL + "LockAttempt",
              "    if (core.operations().mayBeDecidedAgain(number)) {",
              "    if (core.operations().mayBeDecidedAgain(number) && number < 0) {"),
          PlantedBug.of(
              "real client forgets a release that is not answered in time",
              REAL + "Operations",
              "      if (!asked.isOwed) {\n        fail(",
              "      if (asked.number > 0) {\n        fail("),
          PlantedBug.of(
              "real client does not give back what it lost",
              REAL + "Grants",
              "      if (reason == LossCause.DEADLINE_PASSED) {",
              "      if (reason == LossCause.DEADLINE_PASSED && held.size() < 0) {"),
          PlantedBug.of(
              "real client asks anew as the same holder",
              REAL + "LockAttempt",
              "    return requests == 1 ? terms.holderId()",
              "    return requests > 0 ? terms.holderId()"),
          PlantedBug.of(
              "real client takes answers of a stream that it has left",
              REAL + "Streams",
              "    return found.phase != Node.Phase.AWAY && found.stream == stream ? found : null;",
              "    return found.phase != Node.Phase.AWAY ? found : null;"),
          PlantedBug.of(
              "real client forgets a cancel that is not answered",
              REAL + "LockAttempt",
              "    core.givingBack().cancel(terms.key(), number, isOfSession(), now);",
              "    if (number < 0) core.givingBack().cancel(terms.key(), number, isOfSession(),"
                  + " now);"),
          PlantedBug.of(
              "session acknowledges a keepalive that nobody has judged",
              "../grpc/SessionCore",
              "      port.keepAlive(frame.getKeepAliveNumber(), current.session().lease());",
              "      port.keepAlive(frame.getKeepAliveNumber(), current.session().lease());\n"
                  + "      out.frame().setKeepAliveNumber(frame.getKeepAliveNumber())"
                  + ".setGrantedTtlMs(1_000);\n      flushSoon();"),
          PlantedBug.of(
              "session takes any refusal of a request that it sent again",
              "../grpc/SessionWork",
              "    } else if (!operation.resending.isOutcome(answer)) {",
              "    } else if (operation == null) {"));

  static final List<PlantedBug> ALL =
      Stream.of(OF_LOCKS, PlantedAgeBugs.ALL, PlantedServiceBugs.ALL)
          .flatMap(List::stream)
          .toList();

  private PlantedClusterBugs() {}

  private static String entity(String type) {
    return "../entity/" + type;
  }

  private static String lock(String type) {
    return "../lock/" + type;
  }

  private static String journal(String type) {
    return "../journal/" + type;
  }
}
