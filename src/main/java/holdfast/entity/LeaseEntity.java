package holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.RecipientRef;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
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
import holdfast.lease.LeaseEvent;
import holdfast.lease.LeaseState;

/**
 * One shared lease as a persistent actor, which does what its {@link LeaseRoutine} says. Signs of
 * life do not come here.
 */
final class LeaseEntity
    extends EventSourcedBehaviorWithEnforcedReplies<ShardMessage, LeaseEvent, LeaseState> {

  /**
   * What a lease's actor is made of.
   *
   * @param lease what the lease is called
   * @param shard where the actor runs
   * @param door the way to this lease for everyone, which leads to its next actor
   * @param owned the ownership under which the actor is made: it writes under no other
   * @param keeper of the shard under this ownership
   * @param store the node's own journal
   */
  record Terms(
      long lease,
      ActorRef<ClusterSharding.ShardCommand> shard,
      RecipientRef<ShardMessage> door,
      OwnedShard owned,
      Keeper keeper,
      JournalStore store,
      LockSettings settings) {}

  private final Terms terms;
  private final LeaseRoutine routine;

  /**
   * A lease that is not started yet.
   *
   * @param whenFailed is run if the actor ends before it was asked to, or has to be ended
   */
  static Behavior<ShardMessage> create(Terms terms, Runnable whenFailed) {
    Behavior<ShardMessage> entity =
        Behaviors.setup(
            context -> {
              Turnstile turnstile =
                  new Turnstile(
                      terms.settings().limits().waitingCommands(),
                      () -> context.getSelf().tell(ShardMessage.Lifecycle.NEXT));
              Behavior<ShardMessage> lease = new LeaseEntity(terms, context, turnstile);
              return Behaviors.intercept(() -> turnstile, lease);
            });
    return Behaviors.intercept(
        () -> new EndWatch(terms.settings().stopWithin(), whenFailed), entity);
  }

  private LeaseEntity(Terms terms, ActorContext<ShardMessage> context, Turnstile turnstile) {
    super(PersistenceId.ofUniqueId(Ids.ofLease(terms.lease())));
    this.terms = terms;
    routine =
        new LeaseRoutine(
            terms.lease(),
            terms.owned(),
            terms.keeper(),
            terms.store(),
            terms.settings().limits(),
            turnstile,
            Self.of(context.getSelf(), terms.shard(), terms.door()));
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
  public EventAdapter<LeaseEvent, Object> eventAdapter() {
    return routine.events();
  }

  @Override
  public LeaseState emptyState() {
    return LeaseState.NONE;
  }

  @Override
  public CommandHandlerWithReply<ShardMessage, LeaseEvent, LeaseState> commandHandler() {
    return this::onMessage;
  }

  @Override
  public EventHandler<LeaseState, LeaseEvent> eventHandler() {
    return LeaseState::apply;
  }

  @Override
  public SignalHandler<LeaseState> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), routine::recovered)
        .build();
  }

  private ReplyEffect<LeaseEvent, LeaseState> onMessage(LeaseState state, ShardMessage message) {
    Reaction<LeaseEvent, LeaseState> reaction = routine.on(state, message);
    if (reaction.stops()) {
      return Effect().stop().thenNoReply();
    } else if (reaction.events().isEmpty()) {
      return Effect().noReply();
    }
    return Effect().persist(reaction.events()).thenRun(reaction.then()::accept).thenNoReply();
  }
}
