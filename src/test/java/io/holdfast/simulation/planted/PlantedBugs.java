package io.holdfast.simulation.planted;

import java.util.List;

/** All planted bugs of the Raft core, and of the members that the simulation keeps. */
final class PlantedBugs {

  static final List<PlantedBug> ALL =
      List.of(
          PlantedBug.of(
                  "votes twice in a term",
                  "MemberState",
                  "return vote == null ? leader == null : vote.equals(candidate);",
                  "return true;")
              .and("if (vote != null && !vote.equals(candidate)) {", "if (false) {"),
          PlantedBug.of(
              "votes for a log that lacks entries",
              "RaftLog",
              "return otherLastTerm > term || (otherLastTerm == term && otherLastIndex >="
                  + " lastIndex());",
              "return true;"),
          PlantedBug.of(
              "votes before entry 1", "Election", "if (!state.isFormed()) {", "if (false) {"),
          PlantedBug.of(
              "answers a vote before it is synced",
              "Election",
              """
              state.out.whenDurable(
                      new Message.VoteResponse(\
              """,
              """
              state.out.now(
                      new Message.VoteResponse(\
              """),
          PlantedBug.of(
              "answers a heartbeat before its term is synced",
              "LeaderMessages",
              "if (state.isTermDurable()) {",
              "if (state.nowMs() >= 0) {"),
          PlantedBug.of(
              "asks for votes before its term is synced",
              "Election",
              "state.out.whenDurable(request);",
              "state.out.now(request);"),
          PlantedBug.of(
              "accepts entries before they are synced",
              "LeaderMessages",
              """
              state.out.whenDurable(
                      new Message.AppendAccepted(\
              """,
              """
              state.out.now(
                      new Message.AppendAccepted(\
              """),
          PlantedBug.of(
              "leader counts entries it has not synced",
              "LeaderTerm",
              "    unappliedBytes += entry.sizeBytes();",
              "    unappliedBytes += entry.sizeBytes(); replication.durable(entry.index());"),
          PlantedBug.of(
              "commits an entry of an old term by counting",
              "LeaderTerm",
              "if (index <= state.log.commit() || state.log.term(index) != state.term()) {",
              "if (index <= state.log.commit()) {"),
          PlantedBug.of(
              "keeps entries that conflict",
              "LeaderMessages",
              "if (!log.matches(entry.index(), entry.term())) {",
              "if (entry.index() > log.lastIndex()) {"),
          PlantedBug.of(
              "takes entries whose predecessor differs",
              "LeaderMessages",
              "if (!log.matches(request.previousIndex(), request.previousTerm())) {",
              "if (request.previousIndex() > log.lastIndex()) {"),
          PlantedBug.of(
              "heartbeat commits what the follower may not have",
              "Replication",
              "return Math.min(follower.match(), state.log.commit());",
              "return state.log.commit();"),
          PlantedBug.of(
              "writes a commit index ahead of its entries",
              "RaftCore",
              "state.hardState(justifiedCommit)",
              "state.hardState(state.log.commit())"),
          PlantedBug.of(
              "reads without a round", "ReadRounds", "    if (hasLease()) {", "    if (true) {"),
          PlantedBug.of(
              "reads before an entry of its own term is committed",
              "ReadRounds",
              "return state.log.term(state.log.commit()) == state.term();",
              "return true;"),
          PlantedBug.of(
              "takes the answer to a read of its earlier life",
              "RaftCore",
              "long firstNumber = incarnation << 32;",
              "long firstNumber = 1;"),
          PlantedBug.of(
              "allows lease reads with the fast path",
              "Settings",
              "if (leaseReads && fastPath) {",
              "if (false) {"),
          PlantedBug.of(
              "hears what waited through a pause before it hears the time",
              "simulation/raft/SimulatedMember",
              "pause.arrive(() -> input(input));",
              """
              pause.arrive(
                  () -> unlessItFails(
                      () -> {
                        if (running != null) {
                          input.accept(running);
                          settle();
                        }
                      }));\
              """),
          PlantedBug.of(
              "keeps its lease while handing over", "HandingOver", "    rounds.endLease();\n", ""),
          PlantedBug.of(
              "forgets over a restart that a leader has a lease",
              "ElectionTimer",
              "if (state.settings.leaseReads()) {",
              "if (false) {"),
          PlantedBug.of(
                  "puts a snapshot over a newer log",
                  "SnapshotReceiving",
                  "return snapshot.index() <= state.log.commit();",
                  "return false;")
              .and(
                  """
                  if (state.log.matches(snapshot.index(), snapshot.term())) {
                        state.log.commitTo(snapshot.index());
                        state.log.keep(snapshot);\
                  """,
                  "if (false) {"),
          PlantedBug.of(
              "resumes a snapshot with other bytes",
              "SnapshotReceiving",
              "if (!snapshot.equals(incoming)) {",
              "if (incoming == null || incoming.index() != snapshot.index()) {"),
          PlantedBug.of(
              "applies an entry twice",
              "RaftLog",
              "entries(handedOver + 1, commit, maxBytes)",
              "entries(Math.max(1, handedOver), commit, maxBytes)"),
          PlantedBug.of(
              "applies again after a restart what its snapshot has",
              "RaftLog",
              "    handedOver = newest.index();\n    return newest;",
              "    handedOver = handedOver == 0 ? newest.index() - 1 : newest.index();\n"
                  + "    return newest;"),
          PlantedBug.of(
              "member without its directory comes back under its old id",
              "simulation/raft/Operator",
              "substitute = world.add(new MemberId(world.members().size() + 1));",
              "substitute = world.add(lost.id());"),
          PlantedBug.of(
              "witness compacts without a snapshot",
              "RaftCore",
              "      proposals.giveUp();\n      granted.refuse();",
              """
                    proposals.giveUp();
                    if (state.log.commit() > state.log.firstIndex()) {
                      compactBefore = state.log.commit();
                    }
              """),
          PlantedBug.of(
              "applies after time as a witness without what it missed",
              "RaftCore",
              "    SnapshotMeta restore = state.log.takeRestore();",
              "    SnapshotMeta restore = state.log.handedOver() > 0 ? null :"
                  + " state.log.takeRestore();"),
          PlantedBug.of(
              "begins a change while another is open",
              "MembershipChange",
              "    if (pending) {",
              "    if (history.current().isJoint()) {"),
          PlantedBug.of(
              "changes votes without a joint configuration",
              "Configuration",
              "return ids(voters()).equals(ids(simple.voters()))",
              "return members.size() > 0"),
          PlantedBug.of(
              "joint configuration decides by its new half",
              "Quorum",
              "return among(configuration.members(), yes)\n"
                  + "        && (!configuration.isJoint() || among(configuration.outgoing(),"
                  + " yes));",
              "return among(configuration.members(), yes);"),
          PlantedBug.of(
              "commits by the old half of a joint configuration",
              "Quorum",
              "? Math.min(incoming, reached(configuration.outgoing(), value))",
              "? reached(configuration.outgoing(), value)"),
          PlantedBug.of(
              "counts learners", "Member", "return kind != Kind.LEARNER;", "return true;"),
          PlantedBug.of(
              "ignores the configuration of an overwritten entry",
              "RaftLog",
              "    configurations.truncatedAfter(index - 1);\n",
              ""),
          PlantedBug.of(
                  "lets a removed member disturb",
                  "Election",
                  "    if (!state.mayStand()) {",
                  "    if (!state.isFormed()) {")
              .and(
                  "(state.role() == Role.LEADER || timer.keepsFaith()) && !request.handOver();",
                  "false;")
              .and("newer && isUpToDate(request) && !leadsInstead(request)", "newer"),
          PlantedBug.of(
              "leader that removed itself does not stand",
              "MemberState",
              "return configuration().votes(self) ||"
                  + " log.configurations().at(log.commit()).votes(self);",
              "return configuration().votes(self);"),
          PlantedBug.of(
              "takes a repeated forward twice",
              "LeaderTerm",
              "if (forward.number() <= lastForwards.getOrDefault(forward.from(), -1L)) {",
              "if (false) {"),
          PlantedBug.of(
                  "forwards a proposal again to the next leader",
                  "Forwarding",
                  "private record Sent(long number, List<Long> ids, long sentMs, MemberId to) {}",
                  "private record Sent(long number, List<Long> ids, long sentMs, MemberId to,"
                      + " List<Bytes> payloads) {}")
              .and("state.nowMs(), leader));", "state.nowMs(), leader, waiting));")
              .and(
                  """
                    void leaderLost() {
                      refuseWaiting();
                      while (!unanswered.isEmpty()) {
                        abandon(unanswered.remove());
                      }
                  """,
                  """
                    void leaderLost() {
                      while (!unanswered.isEmpty()) {
                        Sent sent = unanswered.remove();
                        unansweredCount -= sent.ids.size();
                        waitingIds.addAll(sent.ids);
                        waiting.addAll(sent.payloads);
                      }
                  """)
              .and("      refuseWaiting();\n      return;", "      return;"),
          PlantedBug.of(
              "calls a proposal applied by its index alone",
              "OpenProposals",
              "return term == committedTerm\n        ?",
              "return index > 0\n        ?"));

  private PlantedBugs() {}
}
