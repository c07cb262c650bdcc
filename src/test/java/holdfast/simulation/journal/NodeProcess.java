package holdfast.simulation.journal;

import holdfast.coordination.CoordinationMachine;
import holdfast.coordination.state.CoordinationCommand;
import holdfast.coordination.state.CoordinationState;
import holdfast.coordination.state.LeaderDuties;
import holdfast.coordination.state.NodeId;
import holdfast.coordination.state.NodeRole;
import holdfast.coordination.state.SessionId;
import holdfast.coordination.state.SessionKeeper;
import holdfast.coordination.state.SessionTimes;
import holdfast.coordination.state.ShardId;
import holdfast.journal.JournalMachine;
import holdfast.journal.JournalStore;
import holdfast.journal.RaftJournalStore;
import holdfast.raft.ConsensusLog;
import holdfast.raft.SharedLog;
import holdfast.raft.core.Formation;
import holdfast.raft.core.Leadership;
import holdfast.raft.core.MemberId;
import holdfast.raft.core.Outcome;
import holdfast.raft.core.ReadOutcome;
import holdfast.simulation.raft.Guest;
import holdfast.simulation.raft.SimulatedClock;
import holdfast.simulation.raft.SimulatedMember;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One process of a node: the real machines on its member's log, and the real logic above them. */
public final class NodeProcess implements Guest {

  public static final SessionTimes TIMES = new SessionTimes(/* ttlMs= */ 800, /* renewalMs= */ 100);

  private static final int TICK_US = 20_000;
  private static final int MAX_OPEN = 64;

  private final JournalWorld world;
  private final SimulatedMember member;
  private final SplittableRandom chance;
  private final CoordinationMachine coordination;
  private final JournalMachine journal;
  private final SharedLog machines;
  private final MemberLog log;
  private final @Nullable ApplyThread applies;
  private final JournalStore store;
  private final SessionKeeper keeper;
  private final LeaderDuties duties = new LeaderDuties();
  private final Joining joining;
  private final Tenant tenant;
  private final List<ShardSeat> seats = new ArrayList<>();
  private final Map<Long, Long> firstSentUs = new HashMap<>();
  private long commands;
  private long appliedIndex;
  private boolean exits;

  NodeProcess(JournalWorld world, SimulatedMember member) {
    this.world = world;
    this.member = member;
    chance = world.chance().split();
    coordination = new CoordinationMachine(chance.nextLong());
    coordination.tell(new LogFollower(this, coordination));
    journal =
        new JournalMachine(world.tenancy().bounds(), coordination::epochOf, chance.nextLong());
    machines =
        new SharedLog(
            List.of(
                new SharedLog.Part(JournalMachine.CODE, journal),
                new SharedLog.Part(CoordinationMachine.CODE, coordination)));
    log = new MemberLog(world, member);
    JournalStore own =
        new RaftJournalStore(log, journal, MAX_OPEN, /* many= */ 1, this::afterPause);
    applies = world.tenancy().appliesApart(chance) ? new ApplyThread(this, chance.split()) : null;
    store = applies == null ? own : applies.seenThrough(own);
    NodeId id = new NodeId(member.id().value());
    keeper =
        new SessionKeeper(
            TIMES,
            new CoordinationCommand.OpenSession(
                id,
                member.incarnation(),
                addressOf(member.id()),
                member.incarnation(),
                Set.of(NodeRole.SHARD_HOST),
                TIMES.ttlMs(),
                JournalWorld.TERMS),
            clock().nowMs(),
            clock().wallMs());
    firstSentUs.put(0L, world.nowUs());
    joining = new Joining(this);
    SplittableRandom its = chance.split();
    for (int i = 0; i < JournalWorld.SHARDS; i++) {
      seats.add(new ShardSeat(this, new ShardId(i)));
    }
    tenant = world.tenancy().begin(this, its);
    member.later(chance.nextInt(TICK_US), "node", this::tick);
  }

  /** Where the actors of a member are, in Akka's words. */
  public static String addressOf(MemberId member) {
    return "akka://n" + member.value();
  }

  private void afterPause(Runnable action) {
    member.later(10_000 + chance.nextInt(50_000), "asks again", action);
  }

  // ------------------------------------------------------------------ what others ask

  public SimulatedClock clock() {
    return member.clock();
  }

  public SimulatedMember member() {
    return member;
  }

  public JournalStore store() {
    return store;
  }

  SplittableRandom chance() {
    return chance;
  }

  public JournalWorld world() {
    return world;
  }

  /** The journal as its own machine. */
  public JournalMachine journal() {
    return journal;
  }

  /** Whether this process knows all that was applied anywhere. */
  public CompletionStage<ReadOutcome> caughtUp() {
    return log.readBarrier();
  }

  List<ShardSeat> seats() {
    return seats;
  }

  SessionKeeper keeper() {
    return keeper;
  }

  LeaderDuties duties() {
    return duties;
  }

  Joining joining() {
    return joining;
  }

  public <T> T read(Function<CoordinationState, T> what) {
    return coordination.read(what);
  }

  public boolean isValid() {
    return keeper.isValid(clock().nowMs(), clock().wallMs());
  }

  /** When the attempt of this number was sent first, in true time. */
  long firstSentUs(long attempt) {
    return firstSentUs.getOrDefault(attempt, Long.MIN_VALUE / 2);
  }

  /** The epoch that the node has for the shard now; 0 for none. */
  long epochNow(int shard) {
    Holding held = holdingOf(shard);
    return held == null ? 0 : held.ownership().epoch().value();
  }

  /** Whether nothing that it has proposed is on its way. */
  boolean isIdle() {
    return log.isIdle();
  }

  long appliedIndex() {
    return appliedIndex;
  }

  long digest() {
    return StateDigest.of(coordination.read(CoordinationState::toBytes), journal.version());
  }

  // ------------------------------------------------------------------ what it does

  private void tick() {
    if (world.hasEnded()) {
      return;
    }
    long now = clock().nowMs();
    for (CoordinationCommand command : keeper.due(now, clock().wallMs())) {
      if (command instanceof CoordinationCommand.RenewSession renew) {
        firstSentUs.putIfAbsent(renew.renewal(), world.nowUs());
      }
      propose(command);
    }
    if (member.leads()) {
      coordination.read(state -> duties.due(state, now)).forEach(this::proposeLate);
    }
    SessionId session = keeper.session().orElse(SessionId.NONE);
    if (keeper.end().isPresent()) {
      exit();
    } else if (isValid()) {
      joining.tick(session);
      seats.forEach(seat -> tend(seat, session, now));
    }
    tenant.tick(now, isValid());
    member.later(TICK_US, "node", this::tick);
  }

  /** A leader may stand still between its decision and its proposal. */
  private void proposeLate(CoordinationCommand command) {
    if (chance.nextInt(4) == 0) {
      member.later(chance.nextInt(600_000), command, () -> propose(command));
    } else {
      propose(command);
    }
  }

  private void tend(ShardSeat seat, SessionId session, long now) {
    Holding held = seat.holding();
    int dice = chance.nextInt(1_000);
    if (held == null) {
      boolean seemsFree = read(state -> state.owner(seat.shard()).isEmpty());
      if (dice < (seemsFree ? 300 : 10)) {
        seat.acquire(session, now);
      }
      return;
    }
    if (!world.isCalm() && dice < 15) {
      seat.release(session);
      tenant.outlives(held);
    } else if (!world.isCalm() && dice < 22) {
      seat.acquireAgain(session);
    } else if (held.cursor().asksForMore()) {
      propose(
          new CoordinationCommand.TakeTokenBlock(session, seat.shard(), held.ownership().epoch()));
    }
  }

  /** The process leaves: it acts no more, says so, and ends. */
  void leave() {
    keeper.session().ifPresent(own -> propose(new CoordinationCommand.CloseSession(own)));
    seats.clear();
    exit();
  }

  /** The process ends soon; until then its actors may go on. */
  void exit() {
    if (!exits) {
      exits = true;
      member.later(chance.nextInt(150_000), "exits", () -> world.exits(member));
    }
  }

  /** The shard is this node's: it makes itself what it needs, from the journal as it is then. */
  void recover(ShardSeat seat, Holding held) {
    member.later(
        chance.nextInt(2_000),
        "recovers a shard",
        () -> tenant.recover(held, () -> seat.holding() == held));
  }

  // ------------------------------------------------------------------ what the log says

  void propose(CoordinationCommand command) {
    long number = ++commands;
    var unused =
        log.propose(coordination.entry(number, command))
            .thenAccept(
                outcome ->
                    world.guard(
                        () -> {
                          if (!outcome.isApplied()) {
                            cameBack(command);
                          }
                        }));
  }

  private void cameBack(CoordinationCommand command) {
    if (command instanceof CoordinationCommand.RenewSession
        || command instanceof CoordinationCommand.OpenSession) {
      keeper.cameBack(command, clock().nowMs());
    }
    member.later(
        20_000 + chance.nextInt(20_000),
        "asks again",
        () -> {
          seats.stream().filter(seat -> seat.isAbout(command)).forEach(s -> s.cameBack(command));
          joining.cameBack(command);
        });
  }

  /** The node says whom it cannot reach by Akka's links. */
  void cannotReach(Set<NodeId> others) {
    Set<SessionId> sessions = new TreeSet<>();
    read(CoordinationState::sessions).stream()
        .filter(session -> others.contains(session.member()))
        .forEach(session -> sessions.add(session.id()));
    keeper
        .session()
        .ifPresent(own -> propose(new CoordinationCommand.ReportReachability(own, sessions)));
  }

  // ------------------------------------------------------------------ the machines on the log

  @Override
  public void apply(long index, long term, byte[] payload) {
    inOrder(
        () -> {
          world.chronicle().applied(index, payload);
          machines.apply(index, term, payload);
          appliedIndex = index;
        });
  }

  /** What the log tells is done in its order. */
  private void inOrder(Runnable action) {
    if (applies == null) {
      action.run();
    } else {
      applies.then(action);
    }
  }

  private void finish() {
    if (applies != null) {
      applies.finish();
    }
  }

  @Override
  public void founded(long index, Formation formation) {
    inOrder(
        () -> {
          world.chronicle().founded(index, formation);
          machines.founded(index, formation);
          appliedIndex = index;
        });
  }

  @Override
  public void batchApplied(long index) {
    inOrder(
        () -> {
          machines.batchApplied(index);
          if (Chronicle.isSampled(appliedIndex)) {
            world.sameState().at(appliedIndex, digest(), this);
          }
        });
  }

  @Override
  public ConsensusLog.SnapshotSource snapshot() {
    finish();
    world.sameState().snapshotTaken(appliedIndex, digest());
    return machines.snapshot();
  }

  @Override
  public void restore(long index, InputStream bytes) throws IOException {
    finish();
    machines.restore(index, bytes);
    appliedIndex = index;
    world.sameState().restored(index, digest(), this);
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    inOrder(() -> machines.leadershipChanged(leadership));
  }

  @Override
  public void peerGone(MemberId peer) {
    inOrder(() -> machines.peerGone(peer));
  }

  @Override
  public void outcome(Outcome outcome) {
    inOrder(() -> log.outcome(outcome));
  }

  @Override
  public void read(ReadOutcome outcome) {
    inOrder(() -> log.read(outcome));
  }

  public @Nullable Holding holdingOf(int shard) {
    return shard < seats.size() ? seats.get(shard).holding() : null;
  }

  @Override
  public String toString() {
    return member + "." + member.incarnation() + " " + keeper.session().orElse(SessionId.NONE);
  }
}
