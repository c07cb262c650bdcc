package holdfast.entity;

import akka.actor.typed.ActorRef;
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
import holdfast.journal.Receipt;
import holdfast.lock.LockEvent;
import holdfast.lock.LockKey;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.RequestId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One lock as a persistent actor. It runs the decisions of {@link LockMachine}: persists their
 * events, then answers, and tells the keeper of its shard what to keep alive. It has no lock rules
 * and no timers: it may leave memory at any time.
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

  private record Asker(long number, ActorRef<LockAnswer> replyTo) {}

  private final ActorContext<ShardMessage> context;
  private final Turnstile turnstile;
  private final Terms terms;
  private final FencedLockEvents events;
  private final PastRequests past;

  /** Who to tell when a request's waiting ends. Bounded by the length of the line. */
  private final Map<RequestId, Asker> waiting = new HashMap<>();

  /**
   * A lock that is not started yet.
   *
   * @param whenFailed is run if the actor ends before it was asked to. It never comes back by
   *     itself: the ownership of its shard may be another one by then
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
    this.context = context;
    this.turnstile = turnstile;
    this.events = new FencedLockEvents(terms.owned());
    this.past = new PastRequests(terms.store(), terms.owned().shard(), Ids.of(terms.key()));
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
    return events;
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
        .onSignal(
            RecoveryCompleted.instance(),
            state -> {
              events.recovered(state);
              turnstile.open();
            })
        .build();
  }

  private ReplyEffect<LockEvent, LockState> onMessage(LockState state, ShardMessage message) {
    if (message instanceof LockMessage.Together together) {
      return run(state, together.commands());
    } else if (message instanceof LockMessage command) {
      return run(state, List.of(command));
    } else if (message instanceof ShardMessage.Lifecycle lifecycle) {
      return switch (lifecycle) {
        case STOP -> onStop(state);
        case GONE -> Effect().stop().thenNoReply();
        case NEXT, WAKE, OVERDUE -> Effect().noReply();
      };
    } else if (message instanceof LeaseMessage) {
      throw new IllegalArgumentException("not for a lock: [" + message + "]");
    }
    throw new AssertionError(message);
  }

  /** Decides the commands one after the other, and persists what came of them at once. */
  private ReplyEffect<LockEvent, LockState> run(LockState state, List<LockMessage> commands) {
    Decisions decisions = new Decisions(terms, past, state);
    commands.forEach(decisions::decide);
    if (decisions.events().isEmpty()) {
      if (terms.owned().isSure()) { // else another node may know better: who asked asks again
        answer(decisions, state, List.of());
      }
      return Effect().noReply();
    }
    turnstile.close();
    List<Receipt> receipts =
        events.expect(
            decisions.events().size(),
            past.answers(decisions.settlements()),
            terms.keeper().forgetBefore());
    return Effect()
        .persist(decisions.events())
        .thenRun(
            after -> {
              keep(state, decisions.events());
              answer(decisions, after, receipts);
              turnstile.open();
            })
        .thenNoReply();
  }

  private void answer(Decisions decisions, LockState state, List<Receipt> receipts) {
    long revision = past.revision();
    for (Decisions.Reply reply : decisions.replies()) {
      boolean stands = reply.renewed().map(renewal -> renew(state, renewal)).orElse(true);
      LockMessage.Handle asked = reply.asked();
      if (reply.outcome() instanceof Outcome.Waiting wait) {
        // A repeated request takes the place of its earlier sending, whose asker has given up.
        waiting.put(wait.request(), new Asker(asked.number(), asked.replyTo()));
        reply
            .patience()
            .ifPresent(
                patience -> terms.keeper().waitsAtMost(terms.key(), wait.request(), patience));
        if (!asked.tellsPlace()) {
          continue;
        }
      } else if (!stands) {
        // I5: its end is on its way, or came with this very batch. Who asks again hears of it.
        continue;
      }
      asked
          .replyTo()
          .tell(
              new LockAnswer(
                  asked.number(), reply.revision(receipts).orElse(revision), reply.outcome()));
    }
    for (Decisions.Told told : decisions.notices()) {
      Asker asker = waiting.remove(told.request());
      if (asker != null) {
        asker
            .replyTo()
            .tell(
                new LockAnswer(
                    asker.number(), told.revision(receipts).orElse(revision), told.outcome()));
      }
    }
    if (decisions.hasSwept()) {
      terms.keeper().swept(terms.key());
    }
    decisions.gone().forEach(gone -> gone.from(terms.keeper()));
  }

  private boolean renew(LockState state, Renewal renewal) {
    boolean counts = terms.keeper().renew(renewal).filter(Renewal.Answer::alive).isPresent();
    if (!counts) {
      // It may be due, and its end on its way: that is decided next, and then told.
      context.getLog().debug("no sign of life counts for [{}] in [{}]", renewal, state);
    }
    return counts;
  }

  private void keep(LockState before, List<LockEvent> happened) {
    LockState now = before;
    for (LockEvent event : happened) {
      now = now.apply(event);
      event.match(new Keeping(terms.keeper(), terms.key(), now));
    }
  }

  /** A free lock leaves nothing in the journal; a held one, only this actor ends. */
  private ReplyEffect<LockEvent, LockState> onStop(LockState state) {
    if (!state.isFree() || lastSequenceNumber(context) == 0) {
      return Effect().stop().thenNoReply();
    }
    turnstile.close();
    var unused = events.expect(1, List.of(), terms.keeper().forgetBefore());
    return Effect()
        .persist(new LockEvent.Forgotten())
        .thenRun(free -> context.getSelf().tell(ShardMessage.Lifecycle.GONE))
        .thenNoReply();
  }
}
