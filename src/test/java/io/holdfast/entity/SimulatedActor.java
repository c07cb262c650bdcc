package io.holdfast.entity;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.hosting.EntityRestarter;
import io.holdfast.id.PersistenceId;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.TestAppends;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import io.holdfast.sharding.SimulatedShards;
import io.holdfast.wire.ShardMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lock's or a lease's actor without Akka: its mailbox, its recovery, and its writes to the
 * journal. The real {@link EntityLogic} handles the messages.
 */
public final class SimulatedActor<S> implements EntityControl {

  /**
   * The kind of an actor.
   *
   * @param reads reads the state from a version of the journal
   */
  public record Kind<S>(
      String persistenceId,
      CommandBatcher batcher,
      EntityLogic<S> routine,
      Function<JournalVersion, S> reads) {}

  private final SimulatedShards shards;
  private final SimulatedShards.Node node;
  private final String name;
  private final OwnedShard owned;
  private final Deque<Runnable> mailbox = new ArrayDeque<>();
  private @Nullable Kind<S> kind;
  private @Nullable S state;
  private long lastSequenceNr;
  private boolean running;
  private boolean stopped;
  private boolean stopping;
  private boolean passivating;
  private final List<ShardMessage> kept = new ArrayList<>();
  private long lastMessageNanos;

  public SimulatedActor(
      SimulatedShards shards, SimulatedShards.Node node, String name, OwnedShard owned) {
    this.shards = shards;
    this.node = node;
    this.name = name;
    this.owned = owned;
    lastMessageNanos = node.nanos();
  }

  public void begin(Kind<S> as) {
    kind = as;
    var unused =
        node.store()
            .settled(owned.shard())
            .thenAccept(
                version ->
                    node.later(
                        node.delayUs(), name + " recovers", () -> post(() -> recover(version))));
  }

  private Kind<S> kind() {
    return java.util.Objects.requireNonNull(kind);
  }

  private S state() {
    return java.util.Objects.requireNonNull(state);
  }

  private void recover(JournalVersion version) {
    lastSequenceNr =
        version.highestSequenceNr(owned.shard(), new PersistenceId(kind().persistenceId)).orElse(0);
    S read = kind().reads.apply(version);
    state = read;
    kind().routine.recovered(read);
  }

  public OwnedShard owned() {
    return owned;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Receives a message. */
  public void receive(ShardMessage message) {
    if (passivating) {
      kept.add(message); // the shard keeps it for the next actor
    } else {
      lastMessageNanos = node.nanos();
      tell(message);
    }
  }

  /** Returns the time since the last message. */
  public boolean isIdleFor(long nanos) {
    return node.nanos() - lastMessageNanos > nanos;
  }

  /** Sends a message to itself. */
  public void tell(ShardMessage message) {
    post(
        () -> {
          if (message == ShardMessage.Lifecycle.STOP && !stopping) {
            stopping = true;
            node.later(shards.stopWithin().toNanos() / 1_000, name + " has to stop", this::stopNow);
          }
          ShardMessage goesIn = kind().batcher.admit(message);
          if (goesIn != null) {
            handle(goesIn);
          }
        });
  }

  private void handle(ShardMessage message) {
    Reaction<S> reaction;
    try {
      reaction = kind().routine.on(state(), lastSequenceNr, message);
    } catch (IllegalStateException broken) {
      if (node.isOwner(owned.shard(), owned.epoch())) {
        throw broken;
      }
      fail(); // it may have read a later write of another owner, and cannot write any more
      return;
    }
    carryOut(reaction);
  }

  /** Tells the shard later, so that other messages may come in between. */
  @Override
  public void passivate() {
    node.later(node.delayUs(), name + " passivates", this::leave);
  }

  /** Stops the actor by its shard, which keeps later messages for the next actor. */
  public void leave() {
    if (!passivating) {
      passivating = true;
      tell(ShardMessage.Lifecycle.STOP);
    }
  }

  @Override
  public void passOn(ShardMessage message) {
    node.later(node.delayUs(), name + " passes on", () -> shards.receive(name, message));
  }

  private void post(Runnable work) {
    mailbox.add(work);
    if (!running) {
      running = true;
      node.later(node.delayUs(), name, this::work);
    }
  }

  private void work() {
    running = false;
    for (Runnable next = mailbox.poll(); next != null && !stopped; next = mailbox.poll()) {
      next.run();
    }
  }

  private void carryOut(Reaction<S> reaction) {
    if (reaction.stops()) {
      stop();
    }
    FencedEvent<S> write = reaction.write();
    if (write != null) {
      persist(write, reaction.then());
    }
  }

  private void persist(FencedEvent<S> write, Runnable then) {
    S after = write.after(state());
    long number = ++lastSequenceNr;
    var unused =
        node.store()
            .append(
                owned.shard(),
                owned.epoch(),
                appendId ->
                    TestAppends.append(
                        appendId, new PersistenceId(kind().persistenceId), number, write))
            .whenComplete(
                (verdict, failure) -> {
                  if (verdict instanceof Verdict.Applied applied) {
                    TestAppends.applied(write, applied);
                    post(
                        () -> {
                          state = after;
                          node.persisted(owned.epoch());
                          then.run();
                        });
                  } else {
                    post(this::fail);
                  }
                });
  }

  /** Ends the actor after a refusal, and restarts it if its shard is still here. */
  private void fail() {
    boolean asked = stopping;
    stop();
    if (!asked) {
      restart();
    }
  }

  /** Ends an actor that did not stop in time. Its write in flight may commit later. */
  private void stopNow() {
    if (!stopped) {
      stop();
      restart();
    }
  }

  private void restart() {
    node.later(
        EntityRestarter.MIN_PAUSE.toNanos() / 1_000,
        name + " revives",
        () -> {
          if (node.owned(owned.shard()).isPresent()) {
            shards.receive(name, ShardMessage.Lifecycle.WAKE);
          }
        });
  }

  private void stop() {
    stopped = true;
    shards.stopped(name, this);
    kept.forEach(message -> shards.receive(name, message));
  }

  @Override
  public String toString() {
    return name + " under " + owned.epoch();
  }
}
