package io.holdfast.simulation.cluster;

import io.holdfast.coordination.LoggedCommand;
import io.holdfast.coordination.following.SimulatedFollower;
import io.holdfast.coordination.member.Clocks;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.member.Owners;
import io.holdfast.coordination.member.ShardMoves;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.id.ShardId;
import io.holdfast.simulation.journal.NodeProcess;
import io.holdfast.simulation.journal.ProcessThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The real part of one service in coordination, and how it becomes a member: it forms nothing, and
 * joins who has joined.
 */
final class ServiceSession {

  private static final int JOINS_WITHIN_US = 400_000;
  private static final int AGAIN_US = 50_000;

  private final ServiceMember process;
  private final ClusterLocks locks;
  private final SplittableRandom chance;
  private final NodeId self;
  private final SessionTimes times;
  private final CoordinationReplica replica;
  private final MemberCoordination coordination;
  private final List<String> contacts;
  private final SimulatedFollower follower;
  private final Map<Long, Long> firstSentUs = new HashMap<>();
  private long renewalSentUs = Long.MAX_VALUE / 2;
  private long endedUs;
  private boolean hasJoined;

  ServiceSession(ServiceMember process, NodeId self, Clocks clocks, SplittableRandom chance) {
    this.process = process;
    this.self = self;
    this.chance = chance;
    locks = process.locks();
    times = chance.nextBoolean() ? NodeProcess.TIMES : SessionTimes.DEFAULT;
    replica = new CoordinationReplica(chance.nextLong());
    coordination = new MemberCoordination(replica, times, clocks, failed -> thread());
    contacts = contacts();
    follower = new SimulatedFollower(process, replica, contacts, times, thread());
    var unused = replica.copyFor(new FollowsTruly(locks, replica, process));
  }

  private ProcessThread thread() {
    return new ProcessThread(process::later, locks.world()::hasEnded, chance.split());
  }

  /** It was told of some of the nodes. */
  private List<String> contacts() {
    List<String> all = new ArrayList<>(addresses());
    while (all.size() > 1 && chance.nextInt(3) == 0) {
      all.remove(chance.nextInt(all.size()));
    }
    return all;
  }

  /**
   * True if all nodes that it was told of have been removed: it hears from nobody that its session
   * has ended, and its operator starts it anew, with others.
   */
  boolean isLeftAlone() {
    return addresses().stream().noneMatch(contacts::contains);
  }

  private List<String> addresses() {
    return locks.members().stream().map(NodeProcess::addressOf).toList();
  }

  void begin(Consumer<ShardId> moved) {
    follower.begin();
    coordination.begin(follower.log());
    var unused =
        coordination
            .session()
            .open(this::opening)
            .thenAccept(session -> process.later(0, "joins", this::join));
    var unusedToo = coordination.session().ended().thenAccept(reason -> process.exit());
    var unusedEither = coordination.listen(ShardMoves.to(moved));
  }

  private CoordinationCommand.OpenSession opening(ShardTerms founded) {
    return new CoordinationCommand.OpenSession(
        self,
        /* incarnation= */ 1,
        process.address(),
        self.value(),
        Set.of(),
        times.ttlMs(),
        ShardTerms.of(founded.shards()));
  }

  private void join() {
    Optional<FormationId> known =
        coordination.read(CoordinationState::sessions).stream()
            .filter(Session::isJoined)
            .map(Session::formation)
            .findFirst();
    known.ifPresentOrElse(
        formation ->
            process.later(chance.nextInt(JOINS_WITHIN_US), "is in Akka's", () -> mark(formation)),
        () -> process.later(AGAIN_US, "looks for somebody", this::join));
  }

  private void mark(FormationId formation) {
    SessionId own = coordination.session().live();
    if (own == null) {
      return;
    }
    var unused =
        coordination
            .propose(new CoordinationCommand.MarkJoined(own, formation))
            .thenAccept(
                verdict ->
                    verdict.ifPresentOrElse(
                        this::marked,
                        () -> process.later(AGAIN_US, "joins", () -> mark(formation))));
  }

  private void marked(CoordinationVerdict verdict) {
    if (!(verdict instanceof CoordinationVerdict.Joined)) {
      process.exit();
    } else if (!hasJoined) {
      hasJoined = true;
      process.joined();
    }
  }

  /** It leaves the cluster. */
  void close() {
    var unused = coordination.session().close();
  }

  Owners owners() {
    return coordination.owners();
  }

  /** This entry is put to the log. */
  void puts(byte[] entry) {
    CoordinationCommand command = LoggedCommand.of(entry);
    if (command instanceof CoordinationCommand.OpenSession) {
      firstSentUs.putIfAbsent(0L, locks.world().nowUs());
    } else if (command instanceof CoordinationCommand.RenewSession renew) {
      firstSentUs.putIfAbsent(renew.renewal(), locks.world().nowUs());
    }
  }

  // ------------------------------------------------------------------ what the log says of it

  boolean isOf(Session session) {
    return session.member().equals(self);
  }

  boolean isValid() {
    return coordination.session().mayAct();
  }

  SessionTimes times() {
    return times;
  }

  /** The majority has taken this renewal of it, or the opening. */
  void renewed(Session session) {
    renewalSentUs = firstSentUs.getOrDefault(session.renewal(), Long.MIN_VALUE / 2);
  }

  /** The time when the last renewal that the majority has taken was sent first. */
  long renewalSentUs() {
    return renewalSentUs;
  }

  /** It has ended in the log. */
  void ended() {
    endedUs = locks.world().nowUs();
  }

  /** The time when it ended in the log; 0 if it has not. */
  long endedUs() {
    return endedUs;
  }
}
