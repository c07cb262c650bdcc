package io.holdfast.entity;

import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.Owners;
import io.holdfast.coordination.ShardOwnership;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEnds;
import io.holdfast.journal.LeaseHappening;
import io.holdfast.journal.LockHistory;
import io.holdfast.journal.Written;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.lease.LeaseState;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockMachine;
import io.holdfast.lock.LockState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The actors and the keepers of one process of a node, in virtual time and without Akka. */
public final class SimulatedShards {

  /** What they need of their process. */
  public interface Node {

    /** Does something later, if the process lives then. */
    void later(long delayUs, Object what, Runnable action);

    /** Its monotonic clock. */
    long nanos();

    /** How long the next hand-over between two threads takes. */
    long delayUs();

    /** How long until another thread is free, and done. */
    long soonUs();

    Optional<OwnedShard> owned(int shard);

    JournalStore store();

    /** Whether this epoch is the one under which the shard is written, in truth. */
    boolean isOwner(int shard, long epoch);

    /** Which node owns which shard, as far as this one has heard. */
    Owners owners();

    /** Brings signs of life to another node. */
    void send(String address, List<KeeperMessage.Item> items);

    /** A keeper here has said that this lives on. */
    void kept(Renewal renewal, Renewal.Answer answer);

    /** An actor heard that its events are applied. */
    void persisted(long epoch);
  }

  private final Node node;
  private final KeyShards<ShardMessage> names;
  private final LockSettings settings;
  private final LockMachine machine;
  private final Keepers keepers;
  private final OpenRenewals renewals;
  private final Map<String, SimulatedActor<?>> actors = new TreeMap<>();
  private boolean judgesHere;

  public SimulatedShards(Node node, LockSettings settings, LeaseEnds leaseEnds) {
    this.node = node;
    this.settings = settings;
    machine = new LockMachine(settings.maxWaiters());
    names = new KeyShards<>(settings.shards());
    ShardOwnership ownership = node::owned;
    Agenda agenda = new SimulatedAgenda(node::later, node::soonUs);
    keepers =
        new Keepers(agenda, node::nanos, settings.shards(), ownership, node.store(), this::due);
    leaseEnds.listen(keepers);
    renewals =
        new OpenRenewals(keepers, node.owners(), renewal -> shardOf(names, renewal), node::send);
    keepers.begin();
    agenda.every(OpenRenewals.LOOK_EVERY, () -> renewals.again(node.nanos()));
  }

  /** Which shard the actor of this name is in. */
  public int shardOf(String name) {
    return names.number(name);
  }

  static int shardOf(KeyShards<?> names, Renewal renewal) {
    if (renewal instanceof Renewal.OfGrant grant) {
      return names.number(grant.key().value());
    } else if (renewal instanceof Renewal.OfRequest request) {
      return names.number(request.key().value());
    } else if (renewal instanceof Renewal.OfLease lease) {
      return names.number(nameOfLease(lease.id()));
    }
    throw new AssertionError(renewal); // nobody looks
  }

  /** What the actor of a lease is called. */
  public static String nameOfLease(long lease) {
    return Ids.entityOfLease(lease);
  }

  private void due(OwnedShard owned, Timed what) {
    ShardMessage message = what.message(owned.epoch());
    node.later(node.delayUs(), what + " is due", () -> receive(what.actor(), message));
  }

  /** A message came for an actor of this node. Lost if its shard is not here. */
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
    return Ids.isLease(name) ? lease(name, owned) : lock(new LockKey(name), owned);
  }

  private SimulatedActor<?> lock(LockKey key, OwnedShard owned) {
    SimulatedActor<LockState> actor = new SimulatedActor<>(this, node, key.value(), owned);
    Turnstile turnstile = turnstile(actor);
    LockRoutine.Terms terms =
        new LockRoutine.Terms(key, owned, keepers.of(owned), node.store(), machine, settings);
    LockRoutine routine =
        new LockRoutine(terms, turnstile, () -> actor.tell(ShardMessage.Lifecycle.GONE));
    actor.begin(
        new SimulatedActor.Kind<>(
            Ids.of(key),
            turnstile,
            routine,
            version -> LockHistory.read(version, owned.shard(), Ids.of(key))));
    return actor;
  }

  private SimulatedActor<?> lease(String name, OwnedShard owned) {
    long lease = Ids.lease(Ids.persistenceId(name)).orElseThrow();
    SimulatedActor<LeaseState> actor = new SimulatedActor<>(this, node, name, owned);
    Turnstile turnstile = turnstile(actor);
    LeaseRoutine routine =
        new LeaseRoutine(
            lease, owned, keepers.of(owned), node.store(), settings.limits(), turnstile, actor);
    actor.begin(
        new SimulatedActor.Kind<>(
            Ids.ofLease(lease),
            turnstile,
            routine,
            version -> read(version, owned.shard(), Ids.ofLease(lease))));
    return actor;
  }

  private Turnstile turnstile(SimulatedActor<?> actor) {
    return new Turnstile(
        settings.limits().waitingCommands(), () -> actor.tell(ShardMessage.Lifecycle.NEXT));
  }

  private static LeaseState read(JournalVersion version, int shard, String persistenceId) {
    LeaseState state = LeaseState.NONE;
    for (var event : version.replay(shard, persistenceId, 1).events()) {
      state = ((LeaseHappening) Written.event(event)).after(state);
    }
    return state;
  }

  void stopped(String name, SimulatedActor<?> actor) {
    actors.remove(name, actor);
  }

  /** The node owns a shard anew: whoever acts there for an epoch before is not the one any more. */
  public void begin(int shard, long epoch) {
    actors
        .values()
        .removeIf(actor -> actor.owned().shard() == shard && actor.owned().epoch() != epoch);
  }

  /** The node has given this epoch of a shard back: its actors stop, or nobody tells them. */
  public void release(long epoch, boolean tells) {
    for (Map.Entry<String, SimulatedActor<?>> entry : List.copyOf(actors.entrySet())) {
      if (entry.getValue().owned().epoch() == epoch) {
        if (tells) {
          entry.getValue().receive(ShardMessage.Lifecycle.STOP);
        } else {
          actors.remove(entry.getKey());
        }
      }
    }
  }

  /** How long an actor may take to stop. */
  Duration stopWithin() {
    return settings.stopWithin();
  }

  /** Those for whom nothing came for long leave memory. */
  public void passivate() {
    List.copyOf(actors.values()).stream()
        .filter(actor -> actor.isIdleFor(settings.idleAfter().toNanos()))
        .forEach(SimulatedActor::leave);
  }

  /** Somebody at this node says that something lives. */
  public void renew(Renewal renewal, Consumer<Renewal.Answer> answered) {
    judgesHere = true;
    boolean flushes =
        renewals.ask(
            new KeeperMessage.Ask(
                renewal,
                new ReplyTo<>(
                    answer -> {
                      if (judgesHere && answer.alive()) {
                        node.kept(renewal, answer);
                      }
                      answered.accept(answer);
                    })),
            node.nanos());
    judgesHere = false;
    if (flushes) {
      node.later(node.delayUs(), "signs of life go out", renewals::flush);
    }
  }

  /** Another node passes signs of life on; is told what can be said of them, now and later. */
  public void judge(List<KeeperMessage.Item> items, Consumer<List<KeeperMessage.Answered>> tell) {
    Map<Long, Renewal> asked = new HashMap<>();
    items.forEach(item -> asked.put(item.number(), item.renewal()));
    renewals.judge(
        items,
        answers -> {
          answers.stream()
              .filter(answered -> answered.answer().alive())
              .forEach(
                  answered ->
                      node.kept(
                          java.util.Objects.requireNonNull(asked.get(answered.number())),
                          answered.answer()));
          tell.accept(answers);
        });
  }

  /** A shard has come to another owner. */
  public void moved(int shard) {
    renewals.moved(shard, node.nanos());
  }

  /** Another node has said what came of some. */
  public void answered(List<KeeperMessage.Answered> answers) {
    renewals.answered(answers);
  }
}
