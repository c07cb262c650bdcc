package holdfast.simulation.cluster;

import holdfast.coordination.Clocks;
import holdfast.coordination.CoordinationMachine;
import holdfast.coordination.CoordinationMachine.Written;
import holdfast.coordination.LoggedCommand;
import holdfast.coordination.NodeCoordination;
import holdfast.coordination.Owners;
import holdfast.coordination.ShardMoves;
import holdfast.coordination.akka.SimulatedDesk;
import holdfast.coordination.akka.SimulatedFollower;
import holdfast.coordination.state.CoordinationCommand;
import holdfast.coordination.state.CoordinationState;
import holdfast.coordination.state.CoordinationVerdict;
import holdfast.coordination.state.FormationId;
import holdfast.coordination.state.NodeId;
import holdfast.coordination.state.Session;
import holdfast.coordination.state.SessionId;
import holdfast.coordination.state.SessionTimes;
import holdfast.coordination.state.ShardTerms;
import holdfast.entity.KeeperMessage;
import holdfast.entity.Renewal;
import holdfast.entity.ShardMessage;
import holdfast.entity.SimulatedSigns;
import holdfast.raft.core.MemberId;
import holdfast.simulation.Violation;
import holdfast.simulation.journal.JournalWorld;
import holdfast.simulation.journal.NodeProcess;
import holdfast.simulation.journal.ProcessThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The process of a service that is a member of the cluster: it has its real part in coordination,
 * follows the log by way of one node at a time, and asks for locks once it has joined.
 */
final class ServiceMember
    implements LivingClient, AkkaMember, SimulatedSigns.Node, SimulatedFollower.Process {

  private static final int EXITS_WITHIN_US = 150_000;
  private static final int JOINS_WITHIN_US = 400_000;
  private static final int AGAIN_US = 50_000;
  private static final int CLOSES_WITHIN_US = 2_000_000;
  private static final int COMPARED = 4;

  /** Above all members of the log. */
  private static final int FIRST_ID = 1_000;

  private final ClusterLocks locks;
  private final String name;
  private final SplittableRandom chance;
  private final ClientHost host;
  private final NodeId self;
  private final String address;
  private final SessionTimes times;
  private final CoordinationMachine machine;
  private final NodeCoordination coordination;
  private final SimulatedFollower follower;
  private final SimulatedSigns signs;
  private final Letters letters = new Letters(this);
  private final Trials trials;
  private final Duration answerWithin;
  private final List<IntConsumer> moves = new ArrayList<>();
  private final Set<ClusterTenant> quarantines = new HashSet<>();
  private final Map<Long, Long> firstSentUs = new HashMap<>();
  private @Nullable Service service;
  private String followsBy = "";
  private long followedTo;
  private long renewalSentUs = Long.MAX_VALUE / 2;
  private long endedUs;
  private boolean isEnding;
  private boolean exits;

  ServiceMember(ClusterLocks locks, String name, long number, SplittableRandom chance) {
    this.locks = locks;
    this.name = name;
    this.chance = chance;
    host = new ClientHost(locks, name, chance.split());
    self = new NodeId(FIRST_ID + number);
    address = "akka://s" + number;
    times = chance.nextBoolean() ? NodeProcess.TIMES : SessionTimes.DEFAULT;
    answerWithin = Duration.ofMillis(500 + chance.nextInt(3_000));
    machine = new CoordinationMachine(chance.nextLong());
    coordination = new NodeCoordination(machine, times, new HostClocks(host), failed -> thread());
    follower = new SimulatedFollower(this, machine, contacts(), times, thread());
    signs = new SimulatedSigns(this);
    trials = new Trials(locks, this::isRunning, chance.split());
    var unused = machine.copyFor(new Compared());
  }

  private ProcessThread thread() {
    return new ProcessThread(this::later, locks.world()::hasEnded, chance.split());
  }

  /** It was told of some of the nodes. */
  private List<String> contacts() {
    List<String> all =
        new ArrayList<>(locks.members().stream().map(NodeProcess::addressOf).toList());
    while (all.size() > 1 && chance.nextInt(3) == 0) {
      all.remove(chance.nextInt(all.size()));
    }
    return all;
  }

  // ------------------------------------------------------------------ how it becomes a member

  @Override
  public void begin() {
    locks.count("service member begins");
    follower.begin();
    coordination.begin(follower.log(self.value()));
    var unused =
        coordination.open(this::opening).thenAccept(session -> later(0, "joins", this::join));
    var unusedToo = coordination.ended().thenAccept(reason -> exit());
    var unusedEither = coordination.listen(ShardMoves.to(this::moved));
    trials.begin();
  }

  private CoordinationCommand.OpenSession opening(ShardTerms founded) {
    return new CoordinationCommand.OpenSession(
        self,
        /* incarnation= */ 1,
        address,
        self.value(),
        Set.of(),
        times.ttlMs(),
        ShardTerms.of(founded.shards()));
  }

  /** It forms nothing: it waits until there is somebody to join. */
  private void join() {
    Optional<FormationId> known =
        coordination.read(CoordinationState::sessions).stream()
            .filter(Session::isJoined)
            .map(Session::formation)
            .findFirst();
    known.ifPresentOrElse(
        formation -> later(chance.nextInt(JOINS_WITHIN_US), "is in Akka's", () -> mark(formation)),
        () -> later(AGAIN_US, "looks for somebody", this::join));
  }

  private void mark(FormationId formation) {
    SessionId own = coordination.liveSession();
    if (own == null) {
      return;
    }
    var unused =
        coordination
            .propose(new CoordinationCommand.MarkJoined(own, formation))
            .thenAccept(
                verdict ->
                    verdict.ifPresentOrElse(
                        this::marked, () -> later(AGAIN_US, "joins", () -> mark(formation))));
  }

  private void marked(CoordinationVerdict verdict) {
    if (!(verdict instanceof CoordinationVerdict.Joined)) {
      exit();
    } else if (service == null) {
      later(delayUs(), "has joined", this::serve);
    }
  }

  private void serve() {
    Service made = new Service(this, name, chance.split());
    service = made;
    locks.count("service member joins");
    if (!locks.isCloseToTheEnd()) {
      made.begin();
    }
  }

  /** Its actor system ends soon; until then it goes on. */
  private void exit() {
    if (!exits) {
      exits = true;
      later(chance.nextInt(EXITS_WITHIN_US), "exits", this::end);
    }
  }

  private void end() {
    die();
    locks.died(this);
  }

  // ------------------------------------------------------------------ what happens to it

  @Override
  public void later(long delayUs, Object what, Runnable action) {
    host.later(
        delayUs,
        what,
        () -> {
          if (!locks.world().hasEnded()) {
            action.run();
          }
        });
  }

  @Override
  public void pause(long forUs) {
    host.pause(chance.nextInt(3) == 0 ? 3 * forUs : forUs); // at times past its session's end
  }

  @Override
  public void die() {
    host.die();
  }

  /** Its caller lets go of all, or it leaves the cluster. */
  @Override
  public void closeSession() {
    Service caller = service;
    if (caller != null) {
      caller.closeSession();
    }
    if (chance.nextBoolean()) {
      locks.count("service member leaves");
      var unused = coordination.close();
      later(CLOSES_WITHIN_US, "leaves", this::exit);
    }
  }

  @Override
  public void eachBelief(Consumer<Belief> look) {
    Service caller = service;
    if (caller != null) {
      caller.eachBelief(look);
    }
  }

  @Override
  public void askOnceMore() {
    Service caller = service;
    if (caller != null) {
      caller.askOnceMore();
    }
  }

  @Override
  public @Nullable String unserved() {
    if (!isRunning()) {
      return null;
    }
    Service caller = service;
    return caller == null ? this + ", which has not joined" : caller.unserved();
  }

  private void moved(int shard) {
    signs.moved(shard);
    moves.forEach(listener -> listener.accept(shard));
  }

  // ------------------------------------------------------------------ its session, from outside

  boolean isOf(Session session) {
    return session.member().equals(self);
  }

  boolean isValid() {
    return coordination.mayAct();
  }

  SessionTimes times() {
    return times;
  }

  /** The majority has taken this renewal of it, or the opening. */
  void renewed(Session session) {
    renewalSentUs = firstSentUs.getOrDefault(session.renewal(), Long.MIN_VALUE / 2);
  }

  /** When the last renewal that the majority has taken was sent first. */
  long renewalSentUs() {
    return renewalSentUs;
  }

  /** Its session has ended in the log. */
  void ended() {
    endedUs = locks.world().nowUs();
  }

  /** When its session ended in the log; 0 if it has not. */
  long endedUs() {
    return endedUs;
  }

  /** A node has heard of the end of its session, and speaks with it no more. */
  void quarantinedBy(ClusterTenant node) {
    quarantines.add(node);
  }

  // ------------------------------------------------------------------ Akka's links

  @Override
  public boolean isCutFrom(AkkaMember other) {
    if (other instanceof ClusterTenant node && quarantines.contains(node)) {
      told();
      return true;
    }
    return trials.isUnheardBy(other.address());
  }

  /** Who sends to one that speaks with it no more is told so. */
  private void told() {
    if (!isEnding) {
      isEnding = true;
      locks.count("service member is quarantined");
      later(chance.nextInt(10_000), "is told that it is quarantined", this::exit);
    }
  }

  /** Whether nothing comes to it from that node now. */
  boolean isDeafTo(ClusterTenant node) {
    return quarantines.contains(node) || trials.isDeafTo(node.address());
  }

  @Override
  public void toNode(String node, Object what, Consumer<SimulatedDesk> action) {
    if (!node.equals(followsBy)) {
      locks.count(followsBy.isEmpty() ? "service member asks" : "service member goes on");
      followsBy = node;
      trials.followsBy(node);
    }
    ClusterTenant to = locks.tenantInAkka(node);
    if (to != null) {
      locks.send(this, to, what, () -> action.accept(to.desk()));
    }
  }

  @Override
  public void fromNode(String node, Object what, Runnable action) {
    ClusterTenant from = locks.tenantInAkka(node);
    if (from != null) {
      locks.send(from, this, what, action);
    }
  }

  @Override
  public void puts(byte[] entry) {
    CoordinationCommand command = LoggedCommand.of(entry);
    if (command instanceof CoordinationCommand.OpenSession) {
      firstSentUs.putIfAbsent(0L, locks.world().nowUs());
    } else if (command instanceof CoordinationCommand.RenewSession renew) {
      firstSentUs.putIfAbsent(renew.renewal(), locks.world().nowUs());
    }
  }

  /** What it follows is the state of the nodes, to the byte, and never an older one. */
  private final class Compared implements CoordinationMachine.Copyist {

    @Override
    public void written(List<Written> batch) {
      compare();
    }

    @Override
    public void restarted() {
      compare();
    }

    private void compare() {
      long index = machine.read(CoordinationState::appliedIndex);
      CoordinationState truth = locks.world().chronicle().coordination();
      if (index < followedTo || index > truth.appliedIndex()) {
        throw new Violation(
            "SameState", ServiceMember.this + " is at " + index + " after " + followedTo);
      }
      followedTo = index;
      if (index == truth.appliedIndex() && index % COMPARED == 0) {
        locks.count("service member is compared");
        if (!Arrays.equals(machine.read(CoordinationState::toBytes), truth.toBytes())) {
          throw new Violation("SameState", ServiceMember.this + " differs at " + index);
        }
      }
    }
  }

  // ------------------------------------------------------------------ what its parts need

  private record HostClocks(ClientHost host) implements Clocks {
    @Override
    public long monotonicMs() {
      return host.nowMs();
    }

    @Override
    public long wallMs() {
      return host.wallMs();
    }
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public boolean isRunning() {
    return !host.isDead();
  }

  @Override
  public ClusterLocks locks() {
    return locks;
  }

  @Override
  public SplittableRandom chance() {
    return chance;
  }

  @Override
  public Duration answerWithin() {
    return answerWithin;
  }

  @Override
  public void tellMoves(IntConsumer listener) {
    moves.add(listener);
  }

  @Override
  public long nowMs() {
    return host.nowMs();
  }

  @Override
  public long nanos() {
    return host.nowMs() * 1_000_000;
  }

  @Override
  public long delayUs() {
    return chance.nextInt(chance.nextInt(30) == 0 ? 5_000 : 120);
  }

  @Override
  public long soonUs() {
    return chance.nextInt(4) == 0 ? chance.nextInt(200_000) : delayUs();
  }

  @Override
  public int shards() {
    return JournalWorld.SHARDS;
  }

  @Override
  public int shardOf(String key) {
    return signs.shardOf(key);
  }

  @Override
  public Owners owners() {
    return coordination.owners();
  }

  /** To the owner that it has heard of. */
  @Override
  public void tell(String key, ShardMessage message) {
    ClusterTenant owner =
        owners()
            .of(shardOf(key))
            .map(each -> locks.tenantOf(new MemberId(each.member())))
            .orElse(null);
    letters.tell(owner, key, message);
  }

  @Override
  public void renew(Renewal renewal, Consumer<Renewal.Answer> answered) {
    signs.renew(renewal, answered);
  }

  @Override
  public void send(String node, List<KeeperMessage.Item> items) {
    letters.signs(node, items, signs::answered);
  }

  @Override
  public String toString() {
    return name + " at " + address;
  }
}
