package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.Role;

/** Tells the invariants what one member's reactions say. */
final class MemberReport {

  private final RaftWorld world;
  private final SimulatedMember member;
  private Configuration configuration = Configuration.NONE;
  private long configurationIndex;

  MemberReport(RaftWorld world, SimulatedMember member) {
    this.world = world;
    this.member = member;
  }

  /** The configuration is the core's. */
  void started(RaftCore running) {
    configuration = running.configuration();
    configurationIndex = running.configurationIndex();
  }

  /** The index of the configuration that was told last. */
  long configurationIndex() {
    return configurationIndex;
  }

  /** A reaction is about to put entries into the log, which is as it was before. */
  void appended(RaftCore running, Ready ready, LogImage log) {
    long previous = 0;
    if (!ready.entries().isEmpty()) {
      long before = ready.entries().get(0).index() - 1;
      Ready.Install install = ready.install();
      previous =
          install != null && install.snapshot().index() == before
              ? install.snapshot().term()
              : log.term(before);
    }
    for (Entry entry : ready.entries()) {
      long previousTerm = previous;
      world.tell(each -> each.appended(member, previousTerm, entry));
      previous = entry.term();
      boolean own = running.leadership().leads() && entry.term() == running.leadership().term();
      if (own && entry.kind() == EntryKind.CONFIGURATION) {
        Configuration before = configuration;
        Configuration after = MemberCodec.configuration(entry.payload());
        world.tell(each -> each.reconfigured(member, before, after));
        configuration = after;
        configurationIndex = entry.index();
      }
    }
    started(running);
  }

  void leadership(Leadership leadership) {
    if (leadership.role() == Role.LEADER) {
      world.tell(each -> each.elected(member, leadership.term()));
    }
  }

  void outcome(ProposalOutcome outcome) {
    if (outcome.isApplied()) {
      world.tell(each -> each.acknowledged(member, outcome.id(), outcome.index()));
    } else if (!outcome.isUnknown()) {
      world.tell(each -> each.denied(member, outcome.id()));
    }
  }

  void read(ReadOutcome read) {
    if (read.isSafe()) {
      world.tell(each -> each.readAnswered(member, read.id()));
    }
  }
}
