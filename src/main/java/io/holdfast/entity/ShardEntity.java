package io.holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.javadsl.CommandHandlerWithReply;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehaviorWithEnforcedReplies;
import akka.persistence.typed.javadsl.ReplyEffect;
import akka.persistence.typed.javadsl.SignalHandler;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.id.PersistenceId;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.HoldfastJournal;
import io.holdfast.journal.HoldfastSnapshots;
import io.holdfast.journal.PersistedEvent;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.ShardMessage;
import java.util.function.BiFunction;

/**
 * A lock or a shared lease as a persistent actor, driven by its {@link EntityLogic}. A decision is
 * one event. It has no timers, and may leave memory at any time.
 */
public final class ShardEntity<S>
    extends EventSourcedBehaviorWithEnforcedReplies<ShardMessage, PersistedEvent<S>, S> {

  private final ActorContext<ShardMessage> context;
  private final OwnedShard owned;
  private final EntityLogic<S> routine;

  /**
   * Returns the behavior of a lock.
   *
   * @param whenFailed runs if the actor stops before it was asked to, or has to be stopped. It
   *     never restarts by itself, since its shard may have another owner by then
   */
  public static Behavior<ShardMessage> lock(LockLogic.Terms terms, Runnable whenFailed) {
    Behavior<ShardMessage> lock =
        behind(
            terms.settings().limits().waitingCommands(),
            (batcher, context) ->
                new ShardEntity<>(
                    context,
                    EntityIds.of(terms.key()),
                    terms.owned(),
                    new LockLogic(
                        terms,
                        batcher,
                        () -> context.getSelf().tell(ShardMessage.Lifecycle.GONE))));
    return Behaviors.intercept(
        () -> new TerminationWatch(terms.settings().stopWithin(), whenFailed), lock);
  }

  /** Returns the behavior of a shared lease, as of a {@linkplain #lock lock}. */
  public static Behavior<ShardMessage> lease(LeaseLogic.Terms terms, Runnable whenFailed) {
    Behavior<ShardMessage> lease =
        behind(
            terms.settings().limits().waitingCommands(),
            (batcher, context) ->
                new ShardEntity<>(
                    context,
                    EntityIds.ofLease(terms.lease()),
                    terms.owned(),
                    new LeaseLogic(
                        terms,
                        batcher,
                        EntityControl.of(context.getSelf(), terms.shard(), terms.entity()))));
    return Behaviors.intercept(
        () -> new TerminationWatch(terms.settings().stopWithin(), whenFailed), lease);
  }

  private static Behavior<ShardMessage> behind(
      int maxWaiting,
      BiFunction<CommandBatcher, ActorContext<ShardMessage>, Behavior<ShardMessage>> entity) {
    return Behaviors.setup(
        context -> {
          CommandBatcher batcher =
              new CommandBatcher(
                  maxWaiting, () -> context.getSelf().tell(ShardMessage.Lifecycle.NEXT));
          return Behaviors.intercept(() -> batcher, entity.apply(batcher, context));
        });
  }

  private ShardEntity(
      ActorContext<ShardMessage> context,
      PersistenceId id,
      OwnedShard owned,
      EntityLogic<S> routine) {
    super(akka.persistence.typed.PersistenceId.ofUniqueId(id.value()));
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
  public CommandHandlerWithReply<ShardMessage, PersistedEvent<S>, S> commandHandler() {
    return this::onMessage;
  }

  /** A decision of this actor has its state with it; a replayed one is applied. */
  @Override
  public EventHandler<S, PersistedEvent<S>> eventHandler() {
    return (state, decided) -> decided.after(state);
  }

  @Override
  public SignalHandler<S> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), routine::recovered)
        .build();
  }

  private ReplyEffect<PersistedEvent<S>, S> onMessage(S state, ShardMessage message) {
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
