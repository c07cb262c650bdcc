package holdfast.entity;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.SnapshotAdapter;
import akka.persistence.typed.javadsl.CommandHandlerWithReply;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehaviorWithEnforcedReplies;
import akka.persistence.typed.javadsl.ReplyEffect;
import akka.persistence.typed.javadsl.SignalHandler;
import holdfast.config.LockSettings;
import holdfast.coordination.OwnedShard;
import holdfast.journal.HoldfastJournal;
import holdfast.journal.HoldfastSnapshots;
import holdfast.journal.JournalStore;
import holdfast.lock.LockEvent;
import holdfast.lock.LockKey;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;

/**
 * One lock as a persistent actor, which does what its {@link LockRoutine} says. It has no timers:
 * it may leave memory at any time.
 */
final class LockEntity
    extends EventSourcedBehaviorWithEnforcedReplies<ShardMessage, LockEvent, LockState> {

  /**
   * What a lock's actor is made of.
   *
   * @param owned the ownership under which the actor is made: it writes under no other
   * @param keeper of the shard under this ownership
   * @param store the node's own journal
   */
  record Terms(
      LockKey key,
      OwnedShard owned,
      Keeper keeper,
      JournalStore store,
      LockMachine machine,
      LockSettings settings) {}

  private final Terms terms;
  private final LockRoutine routine;

  /**
   * A lock that is not started yet.
   *
   * @param whenFailed is run if the actor ends before it was asked to, or has to be ended. It never
   *     comes back by itself: the ownership of its shard may be another one by then
   */
  static Behavior<ShardMessage> create(Terms terms, Runnable whenFailed) {
    Behavior<ShardMessage> entity =
        Behaviors.setup(
            context -> {
              Turnstile turnstile =
                  new Turnstile(
                      terms.settings().limits().waitingCommands(),
                      () -> context.getSelf().tell(ShardMessage.Lifecycle.NEXT));
              Behavior<ShardMessage> lock = new LockEntity(terms, context, turnstile);
              return Behaviors.intercept(() -> turnstile, lock);
            });
    return Behaviors.intercept(
        () -> new EndWatch(terms.settings().stopWithin(), whenFailed), entity);
  }

  private LockEntity(Terms terms, ActorContext<ShardMessage> context, Turnstile turnstile) {
    super(PersistenceId.ofUniqueId(Ids.of(terms.key())));
    this.terms = terms;
    routine =
        new LockRoutine(
            terms,
            turnstile,
            () -> context.getSelf().tell(ShardMessage.Lifecycle.GONE),
            () -> lastSequenceNumber(context));
  }

  @Override
  public String journalPluginId() {
    return HoldfastJournal.pluginId(terms.owned().shard());
  }

  @Override
  public String snapshotPluginId() {
    return HoldfastSnapshots.PLUGIN_ID;
  }

  @Override
  public EventAdapter<LockEvent, Object> eventAdapter() {
    return routine.events();
  }

  @Override
  public SnapshotAdapter<LockState> snapshotAdapter() {
    return new LockSnapshots(terms.owned());
  }

  @Override
  public LockState emptyState() {
    return LockState.FREE;
  }

  @Override
  public CommandHandlerWithReply<ShardMessage, LockEvent, LockState> commandHandler() {
    return this::onMessage;
  }

  @Override
  public EventHandler<LockState, LockEvent> eventHandler() {
    return LockState::apply;
  }

  @Override
  public SignalHandler<LockState> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), routine::recovered)
        .build();
  }

  private ReplyEffect<LockEvent, LockState> onMessage(LockState state, ShardMessage message) {
    Reaction<LockEvent, LockState> reaction = routine.on(state, message);
    if (reaction.stops()) {
      return Effect().stop().thenNoReply();
    } else if (reaction.events().isEmpty()) {
      return Effect().noReply();
    }
    return Effect().persist(reaction.events()).thenRun(reaction.then()::accept).thenNoReply();
  }
}
