package io.holdfast.simulation.cluster;

import io.holdfast.coordination.following.SimulatedFollower;
import io.holdfast.coordination.hosting.SimulatedFollowersActor;
import io.holdfast.coordination.member.Clocks;
import io.holdfast.coordination.member.Owners;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.id.ShardId;
import io.holdfast.keeper.SimulatedRenewals;
import io.holdfast.raft.core.MemberId;
import io.holdfast.simulation.journal.JournalWorld;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The process of a service that is a member of the cluster: it follows the log by way of one node
 * at a time, has a session, and asks for locks once it has joined.
 */
final class ServiceMember
    implements LivingClient, AkkaMember, SimulatedRenewals.Node, SimulatedFollower.Host {

  private static final int EXITS_WITHIN_US = 150_000;
  private static final int CLOSES_WITHIN_US = 2_000_000;

  /** Above all members of the log. */
  private static final int FIRST_ID = 1_000;

  private final ClusterLocks locks;
  private final String name;
  private final SplittableRandom chance;
  private final ClientHost host;
  private final String address;
  private final ServiceSession session;
  private final SimulatedRenewals signs;
  private final Letters letters = new Letters(this);
  private final Trials trials;
  private final Duration answerWithin;
  private final List<Consumer<ShardId>> moves = new ArrayList<>();
  private final Set<ClusterTenant> quarantines = new HashSet<>();
  private @Nullable Service service;
  private String followsBy = "";
  private boolean isEnding;
  private boolean exits;

  ServiceMember(ClusterLocks locks, String name, long number, SplittableRandom chance) {
    this.locks = locks;
    this.name = name;
    this.chance = chance;
    host = new ClientHost(locks, name, chance.split());
    address = "akka://s" + number;
    answerWithin = Duration.ofMillis(500 + chance.nextInt(3_000));
    session =
        new ServiceSession(
            this, new NodeId(FIRST_ID + number), new HostClocks(host), chance.split());
    signs = new SimulatedRenewals(this);
    trials = new Trials(locks, this::isRunning, chance.split());
  }

  // ------------------------------------------------------------------ how it begins and ends

  @Override
  public void begin() {
    locks.count("service member begins");
    session.begin(this::moved);
    trials.begin();
  }

  /** Now it asks for locks. */
  void joined() {
    later(delayUs(), "has joined", this::serve);
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
  void exit() {
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
      session.close();
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
    if (!isRunning() || (session.endedUs() > 0 && session.isLeftAlone())) {
      return null;
    }
    Service caller = service;
    if (caller == null) {
      return session.isLeftAlone() ? null : this + ", which has not joined";
    }
    return caller.unserved();
  }

  private void moved(ShardId shard) {
    signs.moved(shard);
    moves.forEach(listener -> listener.accept(shard));
  }

  ServiceSession session() {
    return session;
  }

  // ------------------------------------------------------------------ Akka's links

  /** A node has heard of the end of its session, and speaks with it no more. */
  void quarantinedBy(ClusterTenant node) {
    quarantines.add(node);
  }

  @Override
  public boolean isCutFrom(AkkaMember other) {
    if (other instanceof ClusterTenant node && quarantines.contains(node)) {
      told();
      return true;
    }
    return trials.isUnheardBy(other.address());
  }

  /** A sender to a node that speaks with it no more is told so. */
  private void told() {
    if (!isEnding) {
      isEnding = true;
      locks.count("service member is quarantined");
      later(chance.nextInt(10_000), "is told that it is quarantined", this::exit);
    }
  }

  /** True if nothing comes to it from that node now. */
  boolean isDeafTo(ClusterTenant node) {
    return quarantines.contains(node) || trials.isDeafTo(node.address());
  }

  @Override
  public void toNode(String node, Object what, Consumer<SimulatedFollowersActor> action) {
    if (!node.equals(followsBy)) {
      locks.count(followsBy.isEmpty() ? "service member asks" : "service member goes on");
      followsBy = node;
      trials.followsBy(node);
    }
    ClusterTenant to = locks.tenantInAkka(node);
    if (to != null) {
      locks.send(this, to, what, () -> action.accept(to.followers()));
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
    session.puts(entry);
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
  public long runsSinceUs() {
    return host.runsSinceUs();
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
  public void tellMoves(Consumer<ShardId> listener) {
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
  public ShardId shardOf(String key) {
    return signs.shardOf(key);
  }

  @Override
  public Owners owners() {
    return session.owners();
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
  public void send(String node, List<RenewalMessage.Item> items) {
    letters.keepalives(node, items, signs::answered);
  }

  @Override
  public String toString() {
    return name + " at " + address;
  }
}
