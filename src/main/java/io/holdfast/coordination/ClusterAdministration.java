package io.holdfast.coordination;

import io.holdfast.coordination.AdminRefused.Reason;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.Session;
import io.holdfast.id.ShardId;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.LogControl;
import io.holdfast.raft.LogProgress;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftRefusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Administration by the member of the log that this node has. */
public final class ClusterAdministration implements Administration {

  private final ConsensusLog log;
  private final LogControl control;
  private final NodeCoordination coordination;
  private final LongSupplier random;

  /**
   * Administration through a member.
   *
   * @param coordination the state that the nodes agree on, as this one has applied it
   * @param random the source of the ids of seats
   */
  public ClusterAdministration(
      ConsensusLog log, LogControl control, NodeCoordination coordination, LongSupplier random) {
    this.log = log;
    this.control = control;
    this.coordination = coordination;
    this.random = random;
  }

  @Override
  public CompletionStage<ClusterView> view() {
    return control
        .progress()
        .thenApply(progress -> coordination.read(state -> view(progress, log.leadership(), state)));
  }

  private ClusterView view(LogProgress progress, Leadership leadership, CoordinationState state) {
    MemberId leader = leadership.leader();
    List<Member> members = log.members();
    Map<NodeId, NodeLease> leases =
        state.sessions().stream()
            .collect(
                Collectors.toMap(
                    Session::member, session -> lease(session, state), (first, last) -> last));
    Set<NodeId> ids =
        members.stream().map(member -> new NodeId(member.id().value())).collect(Collectors.toSet());
    int owned =
        (int)
            ShardId.range(state.shards()).stream()
                .filter(shard -> state.owner(shard).isPresent())
                .count();
    return new ClusterView(
        leader == null ? 0 : leader.value(),
        progress.commit(),
        progress.applied(),
        progress.last(),
        state.shards(),
        owned,
        state.generation(),
        members.stream().map(member -> member(member, leader, leases, progress)).toList(),
        state.sessions().stream()
            .filter(session -> !ids.contains(session.member()))
            .map(session -> lease(session, state))
            .toList(),
        progress.troubles());
  }

  private static MemberView member(
      Member member,
      @Nullable MemberId leader,
      Map<NodeId, NodeLease> leases,
      LogProgress progress) {
    Long match = progress.matches().get(member.id());
    return new MemberView(
        member.id().value(),
        switch (member.kind()) {
          case VOTER -> MemberKind.VOTER;
          case LEARNER -> MemberKind.LEARNER;
          case WITNESS -> MemberKind.WITNESS;
        },
        member.address(),
        member.id().equals(leader),
        Optional.ofNullable(leases.get(new NodeId(member.id().value()))),
        match == null ? OptionalLong.empty() : OptionalLong.of(match));
  }

  private static NodeLease lease(Session session, CoordinationState state) {
    return new NodeLease(
        session.member().value(),
        session.id().value(),
        session.incarnation(),
        session.ttlMs(),
        session.isJoined(),
        session.akkaAddress(),
        session.endpoint(),
        state.shardsOf(session.id()).size(),
        session.unreachable().size());
  }

  @Override
  public CompletionStage<Change> add(String address) {
    MemberId seat = new MemberId(Math.max(1, random.getAsLong() & Long.MAX_VALUE));
    return change(seat, members -> MemberChanges.add(members, address, seat))
        .thenApply(
            change ->
                log.members().stream()
                    .filter(member -> member.address().equals(address))
                    .findFirst()
                    .map(row -> new Change(row.id().value(), change.changed()))
                    .orElse(change));
  }

  @Override
  public CompletionStage<Change> promote(long member) {
    MemberId id = new MemberId(member);
    return change(id, members -> MemberChanges.promote(members, id));
  }

  @Override
  public CompletionStage<Change> remove(long member) {
    MemberId id = new MemberId(member);
    return change(id, members -> MemberChanges.remove(members, id, alive()));
  }

  private CompletionStage<Change> change(MemberId about, UnaryOperator<List<Member>> how) {
    AtomicBoolean changed = new AtomicBoolean();
    return control
        .changeMembers(
            members -> {
              List<Member> target = how.apply(members);
              changed.set(!target.equals(members));
              return target;
            })
        .thenCompose(refusal -> answer(refusal, new Change(about.value(), changed.get())));
  }

  @Override
  public CompletionStage<Change> transfer(long member) {
    Leadership leadership = log.leadership();
    if (!leadership.leads()) {
      return refused(leadership.leader() == null ? RaftRefusal.NO_LEADER : RaftRefusal.NOT_LEADER);
    }
    MemberId successor;
    try {
      successor = member == 0 ? anySuccessor() : successor(new MemberId(member));
    } catch (AdminRefused e) {
      return CompletableFuture.failedFuture(e);
    }
    if (successor.equals(log.self())) {
      return CompletableFuture.completedFuture(new Change(member, /* changed= */ false));
    }
    return log.transferLeadership(successor)
        .thenCompose(
            refusal -> answer(refusal, new Change(successor.value(), /* changed= */ true)));
  }

  private MemberId successor(MemberId wanted) {
    Member member = MemberChanges.member(log.members(), wanted);
    if (member.kind() != Member.Kind.VOTER) {
      throw new AdminRefused(
          Reason.NOT_ELIGIBLE, "[" + MemberChanges.name(wanted) + "] is no voter that could lead");
    } else if (!alive().contains(wanted)) {
      throw new AdminRefused(
          Reason.NOT_ELIGIBLE, "the node of [" + MemberChanges.name(wanted) + "] is not there");
    }
    return wanted;
  }

  private MemberId anySuccessor() {
    Set<MemberId> alive = alive();
    return log.members().stream()
        .filter(member -> member.kind() == Member.Kind.VOTER)
        .map(Member::id)
        .filter(id -> !id.equals(log.self()) && alive.contains(id))
        .findFirst()
        .orElseThrow(
            () -> new AdminRefused(Reason.NOT_ELIGIBLE, "no other voter is there to lead"));
  }

  /** The members whose nodes are in the cluster. */
  private Set<MemberId> alive() {
    return coordination.read(
        state ->
            state.sessions().stream()
                .filter(Session::isJoined)
                .map(session -> new MemberId(session.member().value()))
                .collect(Collectors.toSet()));
  }

  private static <T> CompletionStage<T> answer(Optional<RaftRefusal> refusal, T otherwise) {
    return refusal.isPresent()
        ? refused(refusal.get())
        : CompletableFuture.completedFuture(otherwise);
  }

  private static <T> CompletionStage<T> refused(RaftRefusal refusal) {
    return CompletableFuture.failedFuture(
        switch (refusal) {
          case NOT_LEADER, LEADER_CHANGED ->
              new AdminRefused(Reason.NOT_LEADER, "this node does not lead the log");
          case NO_LEADER, NOT_FORMED ->
              new AdminRefused(Reason.NO_LEADER, "nobody is known to lead the log");
          case HANDING_OVER, WITNESS_LEADS, CHANGE_PENDING, OVERWRITTEN ->
              new AdminRefused(
                  Reason.CHANGE_PENDING, "another change of members or leader is under way");
          case NOT_CAUGHT_UP ->
              new AdminRefused(
                  Reason.NOT_CAUGHT_UP, "the learner is not there, or too far behind to vote");
          case NOT_ELIGIBLE, ALREADY_FORMED, TOO_LARGE ->
              new AdminRefused(Reason.NOT_ELIGIBLE, "the member cannot take this part");
          case NOT_TAKEN_OVER ->
              new AdminRefused(Reason.NOT_TAKEN_OVER, "the successor did not take over in time");
          case QUEUE_FULL -> new AdminRefused(Reason.OVERLOADED, "too much waits for the log");
          case STOPPED -> new AdminRefused(Reason.STOPPING, "this node is stopping");
        });
  }
}
