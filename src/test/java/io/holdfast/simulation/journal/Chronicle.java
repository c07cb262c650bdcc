package io.holdfast.simulation.journal;

import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.LoggedCommand;
import io.holdfast.coordination.state.ConfiguredMember;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.LoggedAppends;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Effects;
import io.holdfast.journal.state.Fences;
import io.holdfast.journal.state.Footprint;
import io.holdfast.journal.state.JournalState;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** The state by the log, from the first moment that any member applies it. */
public final class Chronicle {

  private record Decided(CoordinationState state) implements Fences {
    @Override
    public Epoch epochOf(ShardId shard) {
      return new Epoch(state.fence(shard).value());
    }

    @Override
    public long maxSize() {
      return state.stateBound();
    }
  }

  private static final int SAMPLE = 64;

  private final JournalWorld world;
  private final CoordinationState coordination = new CoordinationState();
  private final JournalState journal;
  private final TreeMap<Long, Long> samples = new TreeMap<>();
  private long index;

  Chronicle(JournalWorld world, Bounds bounds) {
    this.world = world;
    journal = new JournalState(bounds, 0);
  }

  public CoordinationState coordination() {
    return coordination;
  }

  long index() {
    return index;
  }

  static boolean isSampled(long index) {
    return index % SAMPLE == 0;
  }

  /** The state at an index where samples are taken; 0 if none was. */
  long sampleAt(long at) {
    return samples.getOrDefault(at, 0L);
  }

  /** The journal as it is at this place of the log. */
  public JournalVersion journal() {
    return journal.version();
  }

  /** The size of the journal at this place of the log. */
  Footprint footprint() {
    return journal.footprint();
  }

  long digest() {
    return StateDigest.of(coordination.toBytes(), journal.version());
  }

  void founded(long at, Formation formation) {
    if (isNew(at)) {
      List<ConfiguredMember> members =
          formation.members().stream().map(Chronicle::configured).toList();
      coordinated(
          at, new CoordinationCommand.Found(formation.clusterId(), formation.shards(), members));
    }
  }

  void configured(long at, List<Member> members) {
    if (isNew(at)) {
      coordinated(
          at,
          new CoordinationCommand.Configure(members.stream().map(Chronicle::configured).toList()));
    }
  }

  private static ConfiguredMember configured(Member member) {
    NodeRole role =
        switch (member.kind()) {
          case VOTER -> NodeRole.VOTER;
          case WITNESS -> NodeRole.WITNESS;
          case LEARNER -> NodeRole.LEARNER;
        };
    return new ConfiguredMember(new NodeId(member.id().value()), member.address(), Set.of(role));
  }

  void applied(long at, byte[] payload) {
    if (!isNew(at)) {
      return;
    }
    if (payload[0] == CoordinationMachine.CODE) {
      coordinated(at, LoggedCommand.of(payload));
    } else {
      judged(at, LoggedAppends.of(payload));
    }
    if (isSampled(at)) {
      samples.put(at, digest());
    }
  }

  private boolean isNew(long at) {
    if (at <= index) {
      return false;
    }
    index = at;
    return true;
  }

  private void coordinated(long at, CoordinationCommand command) {
    CoordinationVerdict verdict = coordination.apply(at, command);
    world.tell(each -> each.coordinated(verdict));
  }

  private void judged(long at, List<Append> appends) {
    Effects effects = new Effects();
    List<Verdict> verdicts = journal.apply(at, appends, new Decided(coordination), effects);
    world.tell(each -> each.changed(effects.changes()));
    for (int i = 0; i < appends.size(); i++) {
      Append append = appends.get(i);
      Verdict verdict = verdicts.get(i);
      List<Change> changes = world.changes(List.of(append.event()));
      world.tell(each -> each.judged(append, changes, verdict));
    }
    world.tell(JournalInvariant::entryJudged);
  }
}
