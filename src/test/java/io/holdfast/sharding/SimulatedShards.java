package io.holdfast.sharding;

import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.coordination.member.Owners;
import io.holdfast.entity.CommandBatcher;
import io.holdfast.entity.LeaseLogic;
import io.holdfast.entity.LockLogic;
import io.holdfast.entity.SimulatedActor;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.journal.PersistedLeaseEvent;
import io.holdfast.journal.TestAppends;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.keeper.DeadlineKeepers;
import io.holdfast.keeper.ShardDeadline;
import io.holdfast.keeper.SimulatedScheduler;
import io.holdfast.lease.rules.LeaseState;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ReplyTo;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The actors and the deadline keepers of one process of a node, in virtual time and without Akka.
 */
public final class SimulatedShards {

  /** The services of the process. */
  public interface Node {

    /** Runs an action later, if the process lives then. */
    void later(long delayUs, Object what, Runnable action);

    /** Returns the monotonic clock. */
    long nanos();

    /** Returns the delay of the next hand-over between two threads. */
    long delayUs();

    /** Returns the time until another thread has run a task. */
    long soonUs();

    Optional<OwnedShard> owned(ShardId shard);

    JournalStore store();

    /** True if this epoch is in truth the fence of the shard. */
    boolean isOwner(ShardId shard, Epoch epoch);

    /** Returns the owners of shards, as far as this node has heard. */
    Owners owners();

    /** Sends renewals to another node. */
    void send(String address, List<RenewalMessage.Item> items);

    /** Notes an answer of a keeper of this node. */
    void kept(Renewal renewal, long ageMs, Renewal.Answer answer);

    /** Notes a persisted write of an actor. */
    void persisted(Epoch epoch);
  }

  private final Node node;
  private final KeyShards<ShardMessage> names;
  private final LockSettings settings;
  private final LockMachine machine;
  private final DeadlineKeepers keepers;
  private final OpenRenewals renewals;
  private final Map<String, SimulatedActor<?>> actors = new TreeMap<>();
  private boolean judgesHere;

  public SimulatedShards(Node node, LockSettings settings, LeaseEndFeed leaseEnds) {
    this.node = node;
    this.settings = settings;
    machine = new LockMachine(settings.maxWaiters());
    names = new KeyShards<>(settings.shards());
    ShardOwnership ownership = node::owned;
    TaskScheduler scheduler = new SimulatedScheduler(node::later, node::soonUs);
    keepers =
        new DeadlineKeepers(
            scheduler, node::nanos, settings.shards(), ownership, node.store(), this::due);
    leaseEnds.listen(keepers);
    renewals =
        new OpenRenewals(keepers, node.owners(), renewal -> shardOf(names, renewal), node::send);
    keepers.begin();
    scheduler.every(OpenRenewals.LOOK_EVERY, () -> renewals.again(node.nanos()));
  }

  /** Returns the shard of an actor. */
  public ShardId shardOf(String name) {
    return names.of(name);
  }

  public static ShardId shardOf(KeyShards<?> names, Renewal renewal) {
    if (renewal instanceof Renewal.OfGrant grant) {
      return names.of(grant.key().value());
    } else if (renewal instanceof Renewal.OfRequest request) {
      return names.of(request.key().value());
    } else if (renewal instanceof Renewal.OfLease lease) {
      return names.of(nameOfLease(lease.id()));
    }
    throw new AssertionError(renewal); // looks are not simulated
  }

  /** Returns the name of the actor of a lease. */
  public static String nameOfLease(LeaseId lease) {
    return EntityIds.entityOfLease(lease);
  }

  private void due(OwnedShard owned, ShardDeadline what) {
    ShardMessage message = what.message(owned.epoch());
    node.later(node.delayUs(), what + " is due", () -> receive(what.actor(), message));
  }

  /** Receives a message to an actor of this node. It is lost if the shard is not here. */
  public void receive(String name, ShardMessage message) {
    SimulatedActor<?> actor = actors.get(name);
    if (actor == null) {
      Optional<OwnedShard> owned = node.owned(shardOf(name));
      if (owned.isEmpty()) {
        return;
      }
      actor = make(name, owned.get());
      actors.put(name, actor);
    }
    actor.receive(message);
  }

  private SimulatedActor<?> make(String name, OwnedShard owned) {
    return EntityIds.isLease(name) ? lease(name, owned) : lock(new LockKey(name), owned);
  }

  private SimulatedActor<?> lock(LockKey key, OwnedShard owned) {
    SimulatedActor<LockState> actor = new SimulatedActor<>(this, node, key.value(), owned);
    CommandBatcher batcher = batcher(actor);
    LockLogic.Terms terms =
        new LockLogic.Terms(key, owned, keepers.of(owned), node.store(), machine, settings);
    LockLogic routine =
        new LockLogic(terms, batcher, () -> actor.tell(ShardMessage.Lifecycle.GONE));
    actor.begin(
        new SimulatedActor.Kind<>(
            EntityIds.of(key).value(),
            batcher,
            routine,
            version -> LockHistoryReader.read(version, owned.shard(), EntityIds.of(key))));
    return actor;
  }

  private SimulatedActor<?> lease(String name, OwnedShard owned) {
    LeaseId lease = EntityIds.lease(EntityIds.persistenceId(name)).orElseThrow();
    SimulatedActor<LeaseState> actor = new SimulatedActor<>(this, node, name, owned);
    CommandBatcher batcher = batcher(actor);
    LeaseLogic routine =
        new LeaseLogic(
            lease, owned, keepers.of(owned), node.store(), settings.limits(), batcher, actor);
    actor.begin(
        new SimulatedActor.Kind<>(
            EntityIds.ofLease(lease).value(),
            batcher,
            routine,
            version -> read(version, owned.shard(), EntityIds.ofLease(lease).value())));
    return actor;
  }

  private CommandBatcher batcher(SimulatedActor<?> actor) {
    return new CommandBatcher(
        settings.limits().waitingCommands(), () -> actor.tell(ShardMessage.Lifecycle.NEXT));
  }

  private static LeaseState read(JournalVersion version, ShardId shard, String persistenceId) {
    LeaseState state = LeaseState.NONE;
    for (var event : version.replay(shard, new PersistenceId(persistenceId), 1).events()) {
      state = ((PersistedLeaseEvent) TestAppends.event(event)).after(state);
    }
    return state;
  }

  public void stopped(String name, SimulatedActor<?> actor) {
    actors.remove(name, actor);
  }

  /** Starts the ownership of a shard. Actors of an older epoch are replaced. */
  public void begin(ShardId shard, Epoch epoch) {
    actors
        .values()
        .removeIf(
            actor -> actor.owned().shard().equals(shard) && !actor.owned().epoch().equals(epoch));
  }

  /** Ends the ownership of a shard. Its actors stop, or are not told. */
  public void release(Epoch epoch, boolean tells) {
    for (Map.Entry<String, SimulatedActor<?>> entry : List.copyOf(actors.entrySet())) {
      if (entry.getValue().owned().epoch().equals(epoch)) {
        if (tells) {
          entry.getValue().receive(ShardMessage.Lifecycle.STOP);
        } else {
          actors.remove(entry.getKey());
        }
      }
    }
  }

  /** Returns the time that an actor may take to stop. */
  public Duration stopWithin() {
    return settings.stopWithin();
  }

  /** Removes idle actors from memory. */
  public void passivate() {
    List.copyOf(actors.values()).stream()
        .filter(actor -> actor.isIdleFor(settings.idleAfter().toNanos()))
        .forEach(SimulatedActor::leave);
  }

  /** Sends a renewal of this node. */
  public void renew(Renewal renewal, Consumer<Renewal.Answer> answered) {
    judgesHere = true;
    boolean flushes =
        renewals.ask(
            new RenewalMessage.Ask(
                renewal,
                new ReplyTo<>(
                    answer -> {
                      if (judgesHere && answer.alive()) {
                        node.kept(renewal, 0, answer);
                      }
                      answered.accept(answer);
                    })),
            node.nanos());
    judgesHere = false;
    if (flushes) {
      node.later(node.delayUs(), "renewals are sent", () -> renewals.flush(node.nanos()));
    }
  }

  /** Answers renewals of another node, some now and some later. */
  public void judge(List<RenewalMessage.Item> items, Consumer<List<RenewalMessage.Answered>> tell) {
    Map<Long, RenewalMessage.Item> asked = new HashMap<>();
    items.forEach(item -> asked.put(item.number(), item));
    renewals.judge(
        items,
        answers -> {
          answers.stream()
              .filter(answered -> answered.answer().alive())
              .forEach(
                  answered -> {
                    RenewalMessage.Item item = Objects.requireNonNull(asked.get(answered.number()));
                    node.kept(item.renewal(), item.ageMs(), answered.answer());
                  });
          tell.accept(answers);
        });
  }

  /** Notes the new owner of a shard. */
  public void moved(ShardId shard) {
    renewals.moved(shard, node.nanos());
  }

  /** Takes answers of another node. */
  public void answered(List<RenewalMessage.Answered> answers) {
    renewals.answered(answers);
  }
}
