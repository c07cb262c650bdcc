package io.holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.javadsl.CommandHandlerWithReply;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehaviorWithEnforcedReplies;
import akka.persistence.typed.javadsl.ReplyEffect;
import akka.persistence.typed.javadsl.SignalHandler;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.HoldfastJournal;
import io.holdfast.journal.HoldfastSnapshots;
import io.holdfast.journal.Persisted;
import java.util.function.BiFunction;

/**
 * A lock or a shared lease as a persistent actor, which does what its {@link Routine} says: a
 * decision is one event. It has no timers: it may leave memory at any time.
 */
final class ShardEntity<S>
    extends EventSourcedBehaviorWithEnforcedReplies<ShardMessage, Persisted<S>, S> {

  private final ActorContext<ShardMessage> context;
  private final OwnedShard owned;
  private final Routine<S> routine;

  /**
   * A lock that is not started yet.
   *
   * @param whenFailed is run if the actor ends before it was asked to, or has to be ended. It never
   *     comes back by itself: the ownership of its shard may be another one by then
   */
  static Behavior<ShardMessage> lock(LockRoutine.Terms terms, Runnable whenFailed) {
    Behavior<ShardMessage> lock =
        behind(
            terms.settings().limits().waitingCommands(),
            (turnstile, context) ->
                new ShardEntity<>(
                    context,
                    Ids.of(terms.key()),
                    terms.owned(),
                    new LockRoutine(
                        terms,
                        turnstile,
                        () -> context.getSelf().tell(ShardMessage.Lifecycle.GONE))));
    return Behaviors.intercept(() -> new EndWatch(terms.settings().stopWithin(), whenFailed), lock);
  }

  /** A shared lease that is not started yet, as a {@linkplain #lock lock}. */
  static Behavior<ShardMessage> lease(LeaseRoutine.Terms terms, Runnable whenFailed) {
    Behavior<ShardMessage> lease =
        behind(
            terms.settings().limits().waitingCommands(),
            (turnstile, context) ->
                new ShardEntity<>(
                    context,
                    Ids.ofLease(terms.lease()),
                    terms.owned(),
                    new LeaseRoutine(
                        terms,
                        turnstile,
                        Self.of(context.getSelf(), terms.shard(), terms.door()))));
    return Behaviors.intercept(
        () -> new EndWatch(terms.settings().stopWithin(), whenFailed), lease);
  }

  private static Behavior<ShardMessage> behind(
      int maxWaiting,
      BiFunction<Turnstile, ActorContext<ShardMessage>, Behavior<ShardMessage>> entity) {
    return Behaviors.setup(
        context -> {
          Turnstile turnstile =
              new Turnstile(maxWaiting, () -> context.getSelf().tell(ShardMessage.Lifecycle.NEXT));
          return Behaviors.intercept(() -> turnstile, entity.apply(turnstile, context));
        });
  }

  private ShardEntity(
      ActorContext<ShardMessage> context, String id, OwnedShard owned, Routine<S> routine) {
    super(PersistenceId.ofUniqueId(id));
    this.context = context;
    this.owned = owned;
    this.routine = routine;
  }

  @Override
  public String journalPluginId() {
    return HoldfastJournal.pluginId(owned.shard());
  }

  @Override
  public String snapshotPluginId() {
    return HoldfastSnapshots.PLUGIN_ID;
  }

  @Override
  public S emptyState() {
    return routine.empty();
  }

  @Override
  public CommandHandlerWithReply<ShardMessage, Persisted<S>, S> commandHandler() {
    return this::onMessage;
  }

  /** A decision of this actor brings its state along; one that is replayed is applied. */
  @Override
  public EventHandler<S, Persisted<S>> eventHandler() {
    return (state, decided) -> decided.after(state);
  }

  @Override
  public SignalHandler<S> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), routine::recovered)
        .build();
  }

  private ReplyEffect<Persisted<S>, S> onMessage(S state, ShardMessage message) {
    Reaction<S> reaction = routine.on(state, lastSequenceNumber(context), message);
    FencedEvent<S> write = reaction.write();
    if (reaction.stops()) {
      return Effect().stop().thenNoReply();
    } else if (write == null) {
      return Effect().noReply();
    }
    return Effect().persist(write).thenRun(after -> reaction.then().run()).thenNoReply();
  }
}
