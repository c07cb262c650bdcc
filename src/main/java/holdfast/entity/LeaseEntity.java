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
import holdfast.journal.Receipt;
import holdfast.journal.SettledProto;
import holdfast.journal.state.Answer;
import holdfast.journal.state.Verdict;
import holdfast.lease.LeaseCommand;
import holdfast.lease.LeaseEvent;
import holdfast.lease.LeaseMachine;
import holdfast.lease.LeaseOutcome;
import holdfast.lease.LeaseSettled;
import holdfast.lease.LeaseState;
import holdfast.lease.LeaseTerms;
import holdfast.lock.LeaseLife;
import holdfast.lock.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One shared lease as a persistent actor. It runs the decisions of {@link LeaseMachine}, and tells
 * the keeper of its shard what to keep alive: signs of life do not come here.
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

  private final ActorContext<ShardMessage> context;
  private final Turnstile turnstile;
  private final Terms terms;
  private final FencedLeaseEvents events;
  private final PastRequests past;
  private final AppliedLimits limits;

  /** Of the lease if it is alive. */
  private long incarnation;

  /** Whether the shard was asked to end this actor. */
  private boolean leaving;

  /**
   * A lease that is not started yet.
   *
   * @param whenFailed is run if the actor ends before it was asked to
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
    this.context = context;
    this.turnstile = turnstile;
    this.events = new FencedLeaseEvents(terms.owned(), terms.lease());
    int shard = terms.owned().shard();
    this.past = new PastRequests(terms.store(), shard, persistenceId().id());
    this.limits =
        new AppliedLimits(terms.store(), shard, past, terms.settings().limits(), request -> 0);
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
    return events;
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
        .onSignal(
            RecoveryCompleted.instance(),
            state -> {
              incarnation = terms.store().version().lease(terms.lease()).orElse(0);
              turnstile.open();
            })
        .build();
  }

  private ReplyEffect<LeaseEvent, LeaseState> onMessage(LeaseState state, ShardMessage message) {
    if (message instanceof LeaseMessage.Handle handle) {
      if (leaving) {
        terms.door().tell(handle);
        return Effect().noReply();
      }
      return run(state, handle.command(), handle);
    } else if (message instanceof LeaseMessage.Due due) {
      return leaving ? Effect().noReply() : run(state, due.command(), null);
    } else if (message instanceof ShardMessage.Lifecycle lifecycle) {
      return switch (lifecycle) {
        case STOP, GONE -> Effect().stop().thenNoReply();
        case NEXT, WAKE, OVERDUE -> Effect().noReply();
      };
    }
    throw new IllegalArgumentException("not for a lease: [" + message + "]");
  }

  private ReplyEffect<LeaseEvent, LeaseState> run(
      LeaseState state, LeaseCommand command, LeaseMessage.@Nullable Handle asked) {
    LeaseMachine.Decision decision =
        LeaseMachine.decide(state, incarnation, command, this::earlier);
    LeaseEvent event = decision.event();
    Optional<LeaseOutcome.Reason> full = event == null ? Optional.empty() : full(decision);
    if (full.isPresent()) {
      answer(asked, new LeaseOutcome.Refused(full.get()), past.revision());
      return Effect().noReply();
    } else if (event == null) {
      answer(asked, decision.outcome(), past.revision());
      if (command instanceof LeaseCommand.Expire expire && terms.owned().isSure()) {
        terms.keeper().leaseEnded(new LeaseLife(terms.lease(), expire.incarnation()));
      }
      return Effect().noReply();
    }
    turnstile.close();
    Receipt receipt = events.expect(answers(decision), incarnation);
    LeaseTerms before = state.terms();
    return Effect()
        .persist(event)
        .thenRun(after -> happened(after, before, asked, receipt))
        .thenNoReply();
  }

  /** Which bound stands against a decision, if one does. */
  private Optional<LeaseOutcome.Reason> full(LeaseMachine.Decision decision) {
    RequestId request = decision.request();
    if (decision.event() instanceof LeaseEvent.Granted && limits.leases().isPresent()) {
      return Optional.of(LeaseOutcome.Reason.TOO_MANY_LEASES);
    }
    return request != null && limits.requestIds(request).isPresent()
        ? Optional.of(LeaseOutcome.Reason.TOO_MANY_REQUEST_IDS)
        : Optional.empty();
  }

  private Optional<LeaseSettled> earlier(RequestId request) {
    return past.request(request)
        .flatMap(known -> terms.store().version().request(terms.owned().shard(), known))
        .map(SettledProto::lease);
  }

  private List<Answer> answers(LeaseMachine.Decision decision) {
    LeaseSettled settled = decision.settled();
    RequestId request = decision.request();
    return settled == null || request == null
        ? List.of()
        : past.request(request).stream()
            .map(known -> new Answer(known, SettledProto.write(settled)))
            .toList();
  }

  private void happened(
      LeaseState state,
      @Nullable LeaseTerms before,
      LeaseMessage.@Nullable Handle asked,
      Receipt receipt) {
    Verdict.Applied applied =
        receipt.applied().orElseThrow(() -> new IllegalStateException("no verdict came"));
    LeaseTerms begun = state.terms();
    if (begun != null) {
      incarnation = applied.revision();
      terms
          .keeper()
          .leaseBegan(
              new LeaseLife(terms.lease(), incarnation), begun.ttl().toDuration(), Duration.ZERO);
      tell(asked, new LeaseOutcome.Granted(incarnation, begun.ttl(), false), applied.revision());
    } else if (before != null) {
      terms.keeper().leaseEnded(new LeaseLife(terms.lease(), incarnation));
      incarnation = 0;
      tell(asked, new LeaseOutcome.Ended(applied.ended(), false), applied.revision());
      leave(); // its end has left nothing in the journal: a next life begins with a next actor
    }
    turnstile.open();
  }

  private void answer(
      LeaseMessage.@Nullable Handle asked, @Nullable LeaseOutcome outcome, long revision) {
    if (outcome != null && terms.owned().isSure()) { // else who asked asks again
      tell(asked, outcome, revision);
    }
  }

  private static void tell(
      LeaseMessage.@Nullable Handle asked, LeaseOutcome outcome, long revision) {
    if (asked != null) {
      asked.replyTo().tell(new LeaseAnswer(asked.number(), revision, outcome));
    }
  }

  private void leave() {
    leaving = true;
    terms.shard().tell(new ClusterSharding.Passivate<>(context.getSelf()));
  }
}
