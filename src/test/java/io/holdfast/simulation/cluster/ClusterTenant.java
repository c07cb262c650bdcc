package io.holdfast.simulation.cluster;

import io.holdfast.config.LockLimits;
import io.holdfast.config.LockSettings;
import io.holdfast.config.WatchSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.hosting.SimulatedFollowersActor;
import io.holdfast.coordination.member.Owners;
import io.holdfast.coordination.member.ShardMoves;
import io.holdfast.grpc.session.SimulatedSessions;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStore;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.raft.core.MemberId;
import io.holdfast.sharding.SimulatedRequests;
import io.holdfast.sharding.SimulatedShards;
import io.holdfast.simulation.journal.Holding;
import io.holdfast.simulation.journal.JournalWorld;
import io.holdfast.simulation.journal.NodeProcess;
import io.holdfast.simulation.journal.ProcessThread;
import io.holdfast.simulation.journal.Tenant;
import io.holdfast.watch.WatchHub;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The real actors and keepers of one process, its requests to locks, and its watches. */
final class ClusterTenant
    implements Tenant, AkkaMember, SimulatedShards.Node, SimulatedSessions.Node {

  private static final WatchSettings WATCHES =
      new WatchSettings(60, 1L << 20, 16, 64, Duration.ofSeconds(1));

  private final ClusterLocks locks;
  private final NodeProcess process;
  private final String endpoint;
  private final SplittableRandom chance;
  private final SimulatedShards shards;
  private final SimulatedRequests requests;
  private final Duration answerWithin;
  private final List<Consumer<ShardId>> moves = new ArrayList<>();
  private final WatchHub hub;
  private final SimulatedSessions sessions;
  private final String address;
  private final Letters letters = new Letters(this);
  private @Nullable SimulatedFollowersActor followers;
  private boolean isLeaving;

  ClusterTenant(ClusterLocks locks, NodeProcess process, String endpoint, SplittableRandom chance) {
    this.locks = locks;
    this.process = process;
    this.endpoint = endpoint;
    this.chance = chance;
    address = NodeProcess.addressOf(process.member().id());
    LockSettings settings = settings();
    answerWithin = settings.answerWithin();
    shards = new SimulatedShards(this, settings, process.journal());
    hub = new WatchHub(WATCHES, action -> later(delayUs(), "tells watches", action));
    process.journal().follow(hub);
    requests = new SimulatedRequests(this, answerWithin);
    sessions = new SimulatedSessions(this, process.journal());
    var unused = process.coordination().listen(ShardMoves.to(this::moved));
    var unusedToo = process.coordination().listen(batch -> locks.services().heard(this, batch));
  }

  /** Those of one process: others may have others, as while a cluster is being set up anew. */
  private LockSettings settings() {
    boolean isTight = chance.nextInt(4) == 0;
    return new LockSettings(
        JournalWorld.SHARDS,
        /* maxWaiters= */ isTight ? 1 + chance.nextInt(4) : 1_000,
        /* maxInMemory= */ 1_000,
        /* idleAfter= */ Duration.ofMillis(100 + chance.nextInt(900)),
        /* answerWithin= */ Duration.ofMillis(500 + chance.nextInt(3_000)),
        /* stopWithin= */ Duration.ofMillis(100 + chance.nextInt(1_400)),
        new LockLimits(
            /* requestIdsPerClient= */ 512,
            /* requestIdsPerShard= */ 2_048,
            /* keysPerLease= */ isTight ? 1 + chance.nextInt(3) : 16,
            /* leases= */ 64,
            /* waitingCommands= */ isTight ? 4 : 128));
  }

  NodeProcess process() {
    return process;
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
  public String address() {
    return address;
  }

  @Override
  public boolean isCutFrom(AkkaMember other) {
    return other instanceof ClusterTenant node
        ? locks.world().isCut(process, node.process)
        : other instanceof ServiceMember service && service.isDeafTo(this);
  }

  /** Returns the actor for services that follow the log, which is started for the first of them. */
  SimulatedFollowersActor followers() {
    SimulatedFollowersActor open = followers;
    if (open == null) {
      open =
          new SimulatedFollowersActor(
              process.coordination(),
              address,
              new ProcessThread(this::later, locks.world()::hasEnded, chance.split()),
              process.clock()::nowMs);
      followers = open;
    }
    return open;
  }

  SimulatedRequests requests() {
    return requests;
  }

  @Override
  public Duration answerWithin() {
    return answerWithin;
  }

  @Override
  public void tellMoves(Consumer<ShardId> listener) {
    moves.add(listener);
  }

  private void moved(ShardId shard) {
    shards.moved(shard);
    requests.moved(shard);
    sessions.moved(shard);
    moves.forEach(listener -> listener.accept(shard));
  }

  WatchHub hub() {
    return hub;
  }

  SimulatedShards locksHere() {
    return shards;
  }

  SimulatedSessions sessions() {
    return sessions;
  }

  /** The address for its clients. */
  String endpoint() {
    return endpoint;
  }

  /** It stops soon. */
  void leaves() {
    isLeaving = true;
  }

  @Override
  public boolean isLeaving() {
    return isLeaving;
  }

  @Override
  public boolean isRunning() {
    return locks.world().processOf(process.member()) == process;
  }

  // ------------------------------------------------------------------ what its node tells it

  @Override
  public void opened() {
    process.coordination().session().announce(endpoint);
  }

  @Override
  public void recover(Holding held, BooleanSupplier isStill) {
    held.recovered();
    shards.begin(held.ownership().shard(), held.ownership().epoch());
  }

  @Override
  public void outlives(Holding held) {
    shards.release(held.ownership().epoch(), chance.nextInt(4) > 0);
  }

  @Override
  public void tick(long nowMs, boolean isValid) {
    if (chance.nextInt(8) == 0) {
      shards.passivate();
    }
  }

  // ------------------------------------------------------------------ what the actors need

  @Override
  public void later(long delayUs, Object what, Runnable action) {
    process
        .member()
        .later(
            delayUs,
            what,
            () -> {
              if (!locks.world().hasEnded()) {
                action.run();
              }
            });
  }

  @Override
  public long nanos() {
    return process.clock().nowMs() * 1_000_000;
  }

  @Override
  public long delayUs() {
    return chance.nextInt(chance.nextInt(30) == 0 ? 5_000 : 120);
  }

  /** Work on another thread may take its time: a keeper learns all of a shard there. */
  @Override
  public long soonUs() {
    return chance.nextInt(4) == 0 ? chance.nextInt(200_000) : delayUs();
  }

  @Override
  public Optional<OwnedShard> owned(ShardId shard) {
    Holding held = process.holdingOf(shard);
    if (held == null || !held.isRecovered()) {
      return Optional.empty();
    }
    return Optional.of(held.owned());
  }

  @Override
  public JournalStore store() {
    return process.store();
  }

  @Override
  public boolean isOwner(ShardId shard, Epoch epoch) {
    return locks.world().chronicle().coordination().isCurrent(shard, epoch);
  }

  @Override
  public Owners owners() {
    return process.coordination().owners();
  }

  /** The owner of a shard, as far as this node has heard. */
  @Nullable ClusterTenant ownerOf(ShardId shard) {
    return owners()
        .of(shard)
        .map(owner -> locks.tenantOf(new MemberId(owner.member())))
        .orElse(null);
  }

  @Override
  public void send(String address, List<RenewalMessage.Item> items) {
    letters.keepalives(address, items, shards::answered);
  }

  /** A message for an actor of this node. */
  void receive(String name, ShardMessage message) {
    came(name, message);
    shards.receive(name, message);
  }

  private void came(String name, ShardMessage message) {
    if (message instanceof LockMessage.CommandBatch together) {
      together.commands().forEach(each -> came(name, each));
    } else if (message instanceof LockMessage.Handle handle
        && handle.command() instanceof LockCommand.Acquire acquire) {
      locks.tell(each -> each.came(name, acquire));
    }
  }

  // ------------------------------------------------------------------ what its sessions need

  @Override
  public long random() {
    return chance.nextLong();
  }

  @Override
  public boolean mayAct() {
    return process.isValid();
  }

  @Override
  public long member() {
    return process.member().id().value();
  }

  @Override
  public Revision revision() {
    return store().version().revision();
  }

  @Override
  public CompletionStage<Boolean> caughtUp() {
    return process.caughtUp();
  }

  @Override
  public int shards() {
    return JournalWorld.SHARDS;
  }

  @Override
  public ShardId shardOf(String name) {
    return shards.shardOf(name);
  }

  @Override
  public void tell(LockKey key, List<LockMessage.Handle> messages) {
    for (LockMessage.Handle message : messages) {
      if (message.command() instanceof LockCommand.Acquire acquire) {
        locks.tell(each -> each.asked(acquire));
      }
    }
    ClusterTenant owner = ownerOf(shardOf(key.value()));
    if (owner != null) {
      List<LockMessage> sent = new ArrayList<>();
      messages.forEach(message -> sent.add(letters.answeredBy(owner, message)));
      LockMessage all = sent.size() == 1 ? sent.get(0) : new LockMessage.CommandBatch(sent);
      locks.send(this, owner, all, () -> owner.receive(key.value(), all));
    }
  }

  @Override
  public void tell(String name, ShardMessage message) {
    letters.tell(ownerOf(shardOf(name)), name, message);
  }

  @Override
  public void handle(LeaseId lease, LeaseCommand command, Consumer<LeaseAnswer> answered) {
    var unused = requests.ask(lease, command).thenAccept(answered);
  }

  @Override
  public void renew(Renewal renewal, Consumer<Renewal.Answer> answered) {
    shards.renew(renewal, answered);
  }

  /** A call reads a lock here, or all of them. */
  void read(String key) {
    new ReadOfLocks(locks, sessions).begin(key, /* all= */ chance.nextInt(4) == 0);
  }

  @Override
  public void kept(Renewal renewal, long ageMs, Renewal.Answer answer) {
    locks.count("kept " + renewal.getClass().getSimpleName());
    locks.tell(each -> each.kept(process, renewal, ageMs, answer));
  }

  @Override
  public void persisted(Epoch epoch) {
    if (locks.world().isCalm()) {
      for (ShardId shard : JournalWorld.ALL_SHARDS) {
        Holding held = process.holdingOf(shard);
        if (held != null && held.ownership().epoch().equals(epoch)) {
          held.serves();
        }
      }
    }
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
