package io.holdfast.coordination.akka;

import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** A log in memory that several machines follow, each as a member of its own. */
public final class OneLog implements AutoCloseable {

  public static final ShardTerms TERMS = ShardTerms.of(8);

  private final Map<MemberId, CoordinationMachine> machines = new TreeMap<>();
  private final Set<MemberId> cutOff = ConcurrentHashMap.newKeySet();
  private final List<MemberId> handedOver = new CopyOnWriteArrayList<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private volatile MemberId leader = new MemberId(1);
  private volatile boolean hasMajority = true;
  private long index;

  /** Adds a member, before it begins. */
  public void add(MemberId member, CoordinationMachine machine) {
    machines.put(member, machine);
  }

  public void begin() {
    List<Member> members = new ArrayList<>();
    machines.keySet().forEach(id -> members.add(Member.voter(id, "host:" + id.value())));
    thread.execute(
        () -> {
          index++;
          machines
              .values()
              .forEach(
                  machine -> {
                    machine.founded(index, new Formation(7, TERMS.shards(), 0, members));
                    machine.batchApplied(index);
                  });
        });
  }

  /** From now on nothing is applied anywhere, or it is again. */
  public void majority(boolean there) {
    hasMajority = there;
  }

  /** From now on this member leads; at first it is the first. */
  public void lead(MemberId member) {
    leader = member;
  }

  /** This member hears nothing any more, and nobody hears it. */
  public void cutOff(MemberId member) {
    cutOff.add(member);
  }

  /** To whom the leadership was handed over, in that order. */
  public List<MemberId> handedOver() {
    return handedOver;
  }

  private <T> CompletableFuture<T> run(Supplier<T> step) {
    return CompletableFuture.supplyAsync(step, thread);
  }

  private boolean reaches(MemberId member) {
    return hasMajority && !cutOff.contains(member);
  }

  public ConsensusLog of(MemberId self) {
    return new Part(self);
  }

  @Override
  public void close() {
    thread.shutdown();
  }

  private final class Part implements ConsensusLog {
    private final MemberId self;

    Part(MemberId self) {
      this.self = self;
    }

    @Override
    public CompletionStage<ProposalOutcome> propose(byte[] payload) {
      return run(
          () -> {
            if (!reaches(self)) {
              return ProposalOutcome.refused(0, RaftRefusal.NO_LEADER);
            }
            index++;
            machines.forEach(
                (member, machine) -> {
                  if (!cutOff.contains(member)) {
                    machine.apply(index, 1, payload);
                    machine.batchApplied(index);
                  }
                });
            return ProposalOutcome.applied(0, index);
          });
    }

    @Override
    public CompletionStage<ReadOutcome> readBarrier() {
      return run(
          () ->
              reaches(self)
                  ? ReadOutcome.safe(0, index)
                  : ReadOutcome.refused(0, RaftRefusal.NO_LEADER));
    }

    @Override
    public Leadership leadership() {
      return new Leadership(1, self.equals(leader) ? Role.LEADER : Role.FOLLOWER, leader);
    }

    @Override
    public List<Member> members() {
      return List.of();
    }

    @Override
    public MemberId self() {
      return self;
    }

    @Override
    public CompletionStage<Optional<RaftRefusal>> changeMembers(List<Member> target) {
      return CompletableFuture.completedFuture(Optional.of(RaftRefusal.NOT_ELIGIBLE));
    }

    @Override
    public CompletionStage<Optional<RaftRefusal>> transferLeadership(MemberId successor) {
      handedOver.add(successor);
      leader = successor;
      return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public void close() {}
  }
}
