package io.holdfast.simulation.cluster;

import io.holdfast.id.ShardId;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestId;
import io.holdfast.service.LockClient;
import io.holdfast.sharding.SimulatedRequests;
import io.holdfast.simulation.raft.SimulatedClock;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ShardMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An Akka service, in the process of a node or in one of its own, with the real lockClient to
 * locks: it stands still and ends with that process, and may end before it.
 */
final class Service implements LivingClient, SimulatedRequests.Node {

  private static final int MAX_HANDLES = 3;

  private final ClusterLocks locks;
  private final AkkaMember node;
  private final String name;
  private final SplittableRandom chance;
  private final List<ServiceHandle> handles = new ArrayList<>();
  private final Set<String> keys = new TreeSet<>();
  private final SimulatedClock clock;
  private final LockClient lockClient;
  private @Nullable ServiceLastRound round;
  private long lastRandom;
  private boolean hasEnded;

  Service(AkkaMember node, String name, SplittableRandom chance) {
    this.locks = node.locks();
    this.node = node;
    this.name = name;
    this.chance = chance;
    clock = new SimulatedClock(locks.world().scheduler());
    clock.rate(1 + chance.nextDouble(-ClientHost.DRIFT, ClientHost.DRIFT));
    SimulatedRequests requests = new SimulatedRequests(this, node.answerWithin());
    node.tellMoves(requests::moved);
    lockClient = requests.lockClient(new ClientId(name), this::random, new Judging());
    int count = 1 + chance.nextInt(MAX_HANDLES);
    for (int i = 0; i < count; i++) {
      handles.add(new ServiceHandle(this, name + "/h" + i));
    }
  }

  private long random() {
    lastRandom = chance.nextLong();
    return lastRandom;
  }

  boolean isRunning() {
    return !hasEnded && node.isRunning();
  }

  private long runsSinceUs() {
    return hasEnded ? Long.MAX_VALUE : node.runsSinceUs();
  }

  // ------------------------------------------------------------------ what happens to it

  @Override
  public void begin() {
    handles.forEach(ServiceHandle::rest);
  }

  @Override
  public void later(long delayUs, Object what, Runnable action) {
    node.later(
        delayUs,
        what,
        () -> {
          if (!hasEnded) {
            action.run();
          }
        });
  }

  /** It stands still when its node does. */
  @Override
  public void pause(long forUs) {}

  @Override
  public void die() {
    hasEnded = true;
  }

  /** It lets go of all that it has. */
  @Override
  public void closeSession() {
    handles.forEach(ServiceHandle::close);
  }

  @Override
  public void eachBelief(Consumer<Belief> look) {
    if (isRunning()) {
      handles.forEach(look);
    }
  }

  @Override
  public void askOnceMore() {
    ServiceLastRound made = new ServiceLastRound(this, keys);
    round = made;
    later(0, name + " asks once more", made::begin);
  }

  @Override
  public @Nullable String unserved() {
    ServiceLastRound last = round;
    return last == null || last.isOver() || !isRunning() ? null : last.toString();
  }

  // ------------------------------------------------------------------ what its parts need

  ClusterLocks locks() {
    return locks;
  }

  SplittableRandom chance() {
    return chance;
  }

  LockClient lockClient() {
    return lockClient;
  }

  /** The id of the request that it has just made. */
  RequestId lastRequest() {
    return new RequestId.Once(new ClientId(name), lastRandom);
  }

  long nowMs() {
    return nanos() / 1_000_000;
  }

  /** Something worth counting happened. */
  void count(String what) {
    locks.count("service " + what);
    if (node instanceof ServiceMember) {
      locks.count("service member " + what);
    }
  }

  /** One of its handles begins to ask for this key. */
  void asksFor(String key) {
    keys.add(key);
  }

  /** Notes a release or a cancellation, which it sends for as long as it lives. */
  void gives(String key, Object back) {
    locks.tell(each -> each.givenBack(key, back, this::runsSinceUs));
  }

  // ------------------------------------------------------------------ what its lockClient needs

  @Override
  public long nanos() {
    return clock.nowMs() * 1_000_000;
  }

  @Override
  public long delayUs() {
    return node.delayUs();
  }

  @Override
  public long soonUs() {
    return node.soonUs();
  }

  @Override
  public int shards() {
    return node.shards();
  }

  @Override
  public ShardId shardOf(String key) {
    return node.shardOf(key);
  }

  @Override
  public void tell(String key, ShardMessage message) {
    node.tell(key, message);
  }

  @Override
  public void renew(Renewal renewal, Consumer<Renewal.Answer> answered) {
    node.renew(renewal, answered);
  }

  /* A violation must end the run: thrown within a stage, it would only fail that stage. */
  private final class Judging implements SimulatedRequests.Observer {

    @Override
    public Consumer<LockAnswer> asks(LockKey key, LockCommand command) {
      if (command instanceof LockCommand.Acquire acquire) {
        locks.tell(each -> each.asked(acquire));
      }
      long sentUs = locks.world().nowUs();
      return answer -> locks.world().guard(() -> heard(key.value(), command, answer, sentUs));
    }

    private void heard(String key, LockCommand command, LockAnswer answer, long sentUs) {
      locks.tell(each -> each.told(key, command, answer.outcome()));
      locks.tell(each -> each.heard(key, command, answer, sentUs));
      if (command instanceof LockCommand.Acquire acquire
          && answer.outcome() instanceof Outcome.Refused) {
        count("refused");
        locks.tell(each -> each.refusedForGood(key, acquire.request().id()));
      }
    }

    @Override
    public Consumer<Renewal.Answer> renews(Renewal renewal) {
      long sentUs = locks.world().nowUs();
      return answer ->
          locks.world().guard(() -> locks.tell(each -> each.judged(renewal, answer, sentUs)));
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
