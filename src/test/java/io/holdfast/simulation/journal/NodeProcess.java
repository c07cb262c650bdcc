package io.holdfast.simulation.journal;

import io.holdfast.coordination.Administration;
import io.holdfast.coordination.ClusterAdministration;
import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.akka.SimulatedView;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.TokenBlock;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStateMachine;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.RaftJournalStore;
import io.holdfast.journal.state.Fences;
import io.holdfast.raft.LogControl;
import io.holdfast.raft.core.MemberId;
import io.holdfast.simulation.raft.SimulatedClock;
import io.holdfast.simulation.raft.SimulatedMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One process of a node: its real part in coordination, on the real machines of its log, and what
 * asks for shards there.
 */
public final class NodeProcess {

  public static final SessionTimes TIMES = new SessionTimes(/* ttlMs= */ 800, /* renewalMs= */ 100);

  private static final int TICK_US = 20_000;
  private static final int REPORTS_AGAIN_US = 100_000;
  private static final int MAX_OPEN = 64;

  /** Shorter than a real node's, as the ttl of sessions is. */
  private static final long STEADY_MS = 400;

  private record Decided(CoordinationMachine machine) implements Fences {
    @Override
    public Epoch epochOf(ShardId shard) {
      return machine.epochOf(shard);
    }

    @Override
    public long maxSize() {
      return machine.stateBound();
    }
  }

  private final JournalWorld world;
  private final SimulatedMember member;
  private final SplittableRandom chance;
  private final NodeCoordination coordination;
  private final JournalStateMachine journal;
  private final MemberLog log;
  private final LogControl control;
  private final JournalStore store;
  private final Replica replica;
  private final Joining joining;
  private final Tenant tenant;
  private final List<ShardSeat> seats = new ArrayList<>();
  private final SimulatedView view = new SimulatedView(STEADY_MS);
  private Set<NodeId> unreached = Set.of();
  private boolean leaves;
  private boolean exits;

  NodeProcess(JournalWorld world, SimulatedMember member) {
    this.world = world;
    this.member = member;
    chance = world.chance().split();
    log = new MemberLog(world, member);
    control = new MemberControl(member);
    CoordinationMachine machine = new CoordinationMachine(chance.nextLong());
    journal =
        new JournalStateMachine(world.tenancy().bounds(), new Decided(machine), chance.nextLong());
    ApplyThread applies =
        world.tenancy().appliesApart(chance) ? new ApplyThread(this, chance.split()) : null;
    replica = new Replica(this, machine, journal, log, applies);
    JournalStore own =
        new RaftJournalStore(log, journal, MAX_OPEN, /* many= */ 1, this::afterPause);
    store = applies == null ? own : applies.seenThrough(own);
    SplittableRandom its = chance.split();
    coordination =
        new NodeCoordination(
            machine,
            TIMES,
            new NodeClocks(clock()),
            failed -> new ProcessThread(member::later, world::hasEnded, chance.split()));
    joining = new Joining(this);
    for (int i = 0; i < JournalWorld.SHARDS; i++) {
      seats.add(new ShardSeat(this, ShardId.of(i)));
    }
    tenant = world.tenancy().begin(this, its);
    coordination.begin(log);
    open();
    member.later(chance.nextInt(TICK_US), "node", this::tick);
  }

  private void open() {
    var unused =
        coordination
            .session()
            .open(
                new CoordinationCommand.OpenSession(
                    new NodeId(member.id().value()),
                    member.incarnation(),
                    addressOf(member.id()),
                    member.incarnation(),
                    Set.of(NodeRole.SHARD_HOST),
                    TIMES.ttlMs(),
                    JournalWorld.TERMS,
                    world.tenancy().stateCapacity(world)))
            .thenAccept(session -> tenant.opened());
    var unusedToo = coordination.session().ended().thenAccept(reason -> exit());
  }

  /** The address of a member's actors, in Akka's words. */
  public static String addressOf(MemberId member) {
    return "akka://n" + member.value();
  }

  void afterPause(Runnable action) {
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

  /** The operator's way to its log. */
  LogControl control() {
    return control;
  }

  /**
   * The real administration of a node.
   *
   * @param seats the ids of seats
   */
  Administration administration(LongSupplier seats) {
    return new ClusterAdministration(log, control, coordination, seats);
  }

  public JournalWorld world() {
    return world;
  }

  /** Its real part in what the nodes agree on. */
  public NodeCoordination coordination() {
    return coordination;
  }

  /** The journal as its own machine. */
  public JournalStateMachine journal() {
    return journal;
  }

  Replica replica() {
    return replica;
  }

  /** True if this process knows all that was applied anywhere. */
  public CompletionStage<Boolean> caughtUp() {
    return coordination.barrier().caughtUp();
  }

  List<ShardSeat> seats() {
    return seats;
  }

  Joining joining() {
    return joining;
  }

  public <T> T read(Function<CoordinationState, T> what) {
    return coordination.read(what);
  }

  public boolean isValid() {
    return coordination.session().mayAct();
  }

  /** Its session, unless it has heard of its end; none if it was never opened. */
  SessionId session() {
    SessionId live = coordination.session().live();
    return live == null ? SessionId.NONE : live;
  }

  /** The true time when the attempt of this number was sent first. */
  long firstSentUs(long attempt) {
    return log.firstSentUs(session(), attempt);
  }

  /** True if the node owns the shard, as far as it knows. */
  boolean owns(ShardId shard) {
    return coordination.shards().of(shard).isPresent();
  }

  /** The holding of the shard now; null if the node does not own it, or gives it up. */
  public @Nullable Holding holdingOf(ShardId shard) {
    return shard.value() < seats.size() ? seats.get(shard.value()).holding() : null;
  }

  /** The epoch that the node has for the shard now, if any. */
  Epoch epochNow(ShardId shard) {
    Holding held = holdingOf(shard);
    return held == null ? Epoch.NONE : held.ownership().epoch();
  }

  /** True if nothing that it has proposed is on its way. */
  boolean isIdle() {
    return log.isIdle();
  }

  // ------------------------------------------------------------------ what it does

  private void tick() {
    if (world.hasEnded()) {
      return;
    }
    boolean isValid = isValid();
    if (isValid) {
      SessionId session = session();
      joining.tick(session);
      seats.forEach(seat -> seat.tend(session));
    }
    tenant.tick(clock().nowMs(), isValid);
    member.later(TICK_US, "node", this::tick);
  }

  /** The process leaves: it acts no more, says so, and ends. */
  void leave() {
    leaves = true;
    var unused = coordination.session().close();
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
  void recover(ShardSeat seat) {
    member.later(
        chance.nextInt(2_000),
        "recovers a shard",
        () -> {
          Holding held = seat.holding();
          if (held != null && !leaves) {
            useUpTokens(held);
            tenant.recover(held, () -> seat.holding() == held);
          }
        });
  }

  /** Now and then nearly all of the first block, so that more are asked for. */
  private void useUpTokens(Holding held) {
    if (chance.nextInt(40) == 0) {
      int used = TokenBlock.SIZE / 2 + chance.nextInt(TokenBlock.SIZE / 2);
      for (int i = 0; i < used; i++) {
        var unused = held.owned().nextToken();
      }
    }
  }

  /** The shard was given back: what ran there may go on for a while. */
  void outlives(Holding held) {
    tenant.outlives(held);
  }

  /** The node reports the nodes that it cannot reach by Akka's links, until the log has it. */
  void cannotReach(Set<NodeId> others) {
    unreached = others;
    report(others);
  }

  private void report(Set<NodeId> others) {
    SessionId own = coordination.session().live();
    if (own == null) {
      reportAgain(others);
    } else {
      say(own, unreachable())
          .thenAccept(
              verdict -> {
                if (verdict.isEmpty()) {
                  reportAgain(others);
                }
              });
    }
  }

  private void reportAgain(Set<NodeId> others) {
    member.later(
        REPORTS_AGAIN_US,
        "reports again",
        () -> {
          SessionId own = coordination.session().live();
          if (unreached == others && (own == null || !said(own).equals(unreachable()))) {
            report(others);
          }
        });
  }

  /** The node looks whom it cannot reach, and says so once that has been the same for a while. */
  void look() {
    SessionId own = coordination.session().live();
    if (own != null) {
      Set<SessionId> now = unreachable();
      if (view.isDue(now, said(own), clock().nowMs())) {
        var unused = say(own, now);
      }
    }
  }

  /** The members that it cannot reach, by the log. */
  private Set<SessionId> said(SessionId own) {
    return read(state -> state.session(own).map(Session::unreachable).orElse(Set.of()));
  }

  private Set<SessionId> unreachable() {
    Set<SessionId> sessions = new TreeSet<>();
    read(CoordinationState::sessions).stream()
        .filter(
            session ->
                unreached.contains(session.member())
                    || (session.isJoined() && world.quarantine().isBetween(this, session)))
        .forEach(session -> sessions.add(session.id()));
    return sessions;
  }

  private CompletionStage<Optional<CoordinationVerdict>> say(
      SessionId own, Set<SessionId> sessions) {
    return coordination.propose(new CoordinationCommand.ReportReachability(own, sessions));
  }

  @Override
  public String toString() {
    return member + "." + member.incarnation() + " " + session();
  }
}
