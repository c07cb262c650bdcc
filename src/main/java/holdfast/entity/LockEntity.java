package holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.RecipientRef;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.SnapshotAdapter;
import akka.persistence.typed.javadsl.CommandHandlerWithReply;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehaviorWithEnforcedReplies;
import akka.persistence.typed.javadsl.ReplyEffect;
import akka.persistence.typed.javadsl.SignalHandler;
import holdfast.coordination.OwnedShard;
import holdfast.journal.HoldfastJournal;
import holdfast.journal.HoldfastSnapshots;
import holdfast.lock.Decision;
import holdfast.lock.FencingToken;
import holdfast.lock.Holder;
import holdfast.lock.LockCommand;
import holdfast.lock.LockEvent;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.RequestId;
import holdfast.lock.Waiter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One lock as a persistent actor. It runs the decisions of {@link LockMachine}: persists their
 * events, then answers, and keeps the timers that end a grant or a wait. It has no lock rules.
 */
final class LockEntity
    extends EventSourcedBehaviorWithEnforcedReplies<LockMessage, LockEvent, LockState> {

  private static final Duration REPEAT_AFTER = Duration.ofSeconds(1);

  private final ActorContext<LockMessage> context;
  private final TimerScheduler<LockMessage> timers;
  private final Turnstile turnstile;
  private final ActorRef<ClusterSharding.ShardCommand> shard;
  private final LockMachine machine;
  private final OwnedShard owned;
  private final FencedLockEvents events;
  private final RecipientRef<LockMessage> door;

  /** The number of the ttl that counts now; see {@link LockMessage.TtlPassed}. */
  private long lastRenewal;

  /** When the grant of a token ends, by this process's monotonic clock. */
  private long ttlEnds;

  private @Nullable FencingToken endOf;

  /** Whether the shard was asked to end this actor. */
  private boolean leaving;

  /** Who to tell when a request's waiting ends. Bounded by the length of the line. */
  private final Map<RequestId, ActorRef<Outcome>> waiting = new HashMap<>();

  /**
   * A lock that is not started yet.
   *
   * @param shard where the actor runs
   * @param door the way to this lock for everyone, which leads to its next actor once this one ends
   * @param owned the ownership under which the actor is made: it writes under no other
   * @param whenFailed is run if the actor ends before it was asked to. It never comes back by
   *     itself: the ownership of its shard may be another one by then
   */
  static Behavior<LockMessage> create(
      PersistenceId id,
      ActorRef<ClusterSharding.ShardCommand> shard,
      RecipientRef<LockMessage> door,
      LockMachine machine,
      OwnedShard owned,
      Duration idleAfter,
      Runnable whenFailed) {
    Behavior<LockMessage> entity =
        Behaviors.setup(
            context -> {
              context.setReceiveTimeout(idleAfter, LockMessage.Idle.INSTANCE);
              Turnstile turnstile =
                  new Turnstile(() -> context.getSelf().tell(LockMessage.Next.INSTANCE));
              Behavior<LockMessage> lock =
                  Behaviors.withTimers(
                      timers ->
                          new LockEntity(
                              id, context, timers, turnstile, shard, door, machine, owned));
              return Behaviors.intercept(() -> turnstile, lock);
            });
    return Behaviors.intercept(() -> new EndWatch(whenFailed), entity);
  }

  private LockEntity(
      PersistenceId id,
      ActorContext<LockMessage> context,
      TimerScheduler<LockMessage> timers,
      Turnstile turnstile,
      ActorRef<ClusterSharding.ShardCommand> shard,
      RecipientRef<LockMessage> door,
      LockMachine machine,
      OwnedShard owned) {
    super(id);
    this.context = context;
    this.timers = timers;
    this.turnstile = turnstile;
    this.shard = shard;
    this.door = door;
    this.machine = machine;
    this.owned = owned;
    this.events = new FencedLockEvents(owned);
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
  public EventAdapter<LockEvent, Object> eventAdapter() {
    return events;
  }

  @Override
  public SnapshotAdapter<LockState> snapshotAdapter() {
    return new LockSnapshots(owned);
  }

  @Override
  public LockState emptyState() {
    return LockState.FREE;
  }

  @Override
  public CommandHandlerWithReply<LockMessage, LockEvent, LockState> commandHandler() {
    return this::onMessage;
  }

  @Override
  public EventHandler<LockState, LockEvent> eventHandler() {
    return LockState::apply;
  }

  @Override
  public SignalHandler<LockState> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), this::onRecovered)
        .build();
  }

  private ReplyEffect<LockEvent, LockState> onMessage(LockState state, LockMessage message) {
    if (message instanceof LockMessage.Handle handle) {
      return leaving ? sendBack(handle) : onHandle(state, handle);
    } else if (message instanceof LockMessage.Read read) {
      return leaving ? sendBack(read) : onRead(state, read);
    } else if (message instanceof LockMessage.TtlPassed passed) {
      return passed.renewal() == lastRenewal
          ? run(decide(state, new LockCommand.Expire(passed.token())))
          : Effect().noReply();
    } else if (message instanceof LockMessage.PatienceEnded ended) {
      return run(
          decide(state, new LockCommand.Leave(ended.request(), LockCommand.LeaveCause.TIMED_OUT)));
    } else if (message instanceof LockMessage.Idle) {
      return onIdle(state);
    } else if (message instanceof LockMessage.Stop) {
      return Effect().stop().thenNoReply();
    } else if (message instanceof LockMessage.Next) {
      return Effect().noReply(); // the turnstile's own word
    }
    throw new AssertionError(message);
  }

  private ReplyEffect<LockEvent, LockState> onHandle(LockState state, LockMessage.Handle handle) {
    Decision decision = decide(state, handle.command());
    if (decision.events().isEmpty() && !owned.isSure()) {
      return Effect().noReply(); // another node may know better by now: who asked asks again
    }
    if (decision.outcome() instanceof Outcome.Waiting wait) {
      // A repeated request takes the place of its earlier sending, whose asker has given up.
      return run(decision, () -> waiting.put(wait.request(), handle.replyTo()));
    }
    decision.renewed().ifPresent(holder -> startTtl(holder, Duration.ZERO));
    return run(decision, () -> handle.replyTo().tell(decision.outcome()));
  }

  private ReplyEffect<LockEvent, LockState> onRead(LockState state, LockMessage.Read read) {
    return owned.isSure() ? Effect().reply(read.replyTo(), state) : Effect().noReply();
  }

  /**
   * A held lock keeps its timers in this actor, and stays. A free one is forgotten by the journal,
   * and then leaves memory: its next actor begins at the first sequence number.
   */
  private ReplyEffect<LockEvent, LockState> onIdle(LockState state) {
    if (!state.isFree() || leaving) {
      return Effect().noReply();
    } else if (lastSequenceNumber(context) == 0) {
      leave();
      return Effect().noReply();
    }
    turnstile.close();
    return Effect()
        .persist(new LockEvent.Forgotten())
        .thenRun(
            free -> {
              leave();
              turnstile.open();
            })
        .thenNoReply();
  }

  private void leave() {
    leaving = true;
    shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
  }

  /**
   * What comes between the farewell and the end is for the lock's next actor: the shard keeps it.
   */
  private ReplyEffect<LockEvent, LockState> sendBack(LockMessage.Request request) {
    door.tell(request);
    return Effect().noReply();
  }

  private Decision decide(LockState state, LockCommand command) {
    FencingToken next = LockMachine.grants(state, command) ? owned.nextToken().orElse(null) : null;
    return machine.decide(state, command, next);
  }

  private ReplyEffect<LockEvent, LockState> run(Decision decision) {
    return run(decision, () -> {});
  }

  private ReplyEffect<LockEvent, LockState> run(Decision decision, Runnable answer) {
    turnstile.close();
    return Effect()
        .persist(decision.events())
        .thenRun(
            state -> {
              decision.events().forEach(this::keepTimers);
              answer.run();
              decision.notices().forEach(this::tell);
              turnstile.open();
            })
        .thenNoReply();
  }

  private void tell(Decision.Notice notice) {
    ActorRef<Outcome> asker = waiting.remove(notice.request());
    if (asker != null) {
      asker.tell(notice.outcome());
    }
  }

  private void keepTimers(LockEvent event) {
    if (event instanceof LockEvent.Granted granted) {
      startTtl(granted.holder(), Duration.ZERO);
    } else if (event instanceof LockEvent.Queued queued) {
      startPatience(queued.waiter(), Duration.ZERO);
    } else if (event instanceof LockEvent.Left left) {
      timers.cancel(left.request());
    } else if (event instanceof LockEvent.Freed freed) {
      timers.cancel(freed.token());
    } else if (event instanceof LockEvent.HandedOver handedOver) {
      timers.cancel(handedOver.token());
      timers.cancel(handedOver.next().request());
      startTtl(handedOver.next(), Duration.ZERO);
    } else if (!(event instanceof LockEvent.Forgotten)) { // of which no timer is left
      throw new AssertionError(event);
    }
  }

  /**
   * After recovery everyone has the full time once more, and what an owner before this one may have
   * promised beyond it: later than promised, never earlier.
   */
  private void onRecovered(LockState state) {
    events.recovered(state);
    Duration doubt = owned.doubt();
    state.holders().forEach(holder -> startTtl(holder, doubt));
    state.waiters().forEach(waiter -> startPatience(waiter, doubt));
    turnstile.open();
  }

  /**
   * A renewal never brings a deadline nearer: after a recovery in doubt that would take back what
   * an owner before this one may have promised.
   */
  private void startTtl(Holder holder, Duration more) {
    long now = System.nanoTime();
    long end = now + holder.ttl().toDuration().plus(more).toNanos();
    if (holder.token().equals(endOf) && ttlEnds - end > 0) {
      end = ttlEnds;
    }
    endOf = holder.token();
    ttlEnds = end;
    lastRenewal++;
    start(
        holder.token(),
        new LockMessage.TtlPassed(holder.token(), lastRenewal),
        Duration.ofNanos(end - now));
  }

  private void startPatience(Waiter waiter, Duration more) {
    start(
        waiter.request(),
        new LockMessage.PatienceEnded(waiter.request()),
        waiter.patience().toDuration().plus(more));
  }

  /** It fires again until it is cancelled: a notice that a full turnstile drops is not the last. */
  private void start(Object key, LockMessage notice, Duration after) {
    timers.startTimerWithFixedDelay(key, notice, after, REPEAT_AFTER);
  }
}
