package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.RecipientRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import io.holdfast.config.LockLimits;
import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.SettledProto;
import io.holdfast.journal.state.Answer;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseEvent;
import io.holdfast.lease.LeaseMachine;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseSettled;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.RequestId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The work of one shared lease's actor: it has messages decided by the {@link LeaseMachine}, says
 * what to persist, and tells the keeper of its shard what to keep alive.
 */
final class LeaseRoutine implements Routine<LeaseState> {

  /**
   * The parts of a lease's actor.
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

  private final long lease;
  private final OwnedShard owned;
  private final Keeper keeper;
  private final JournalStore store;
  private final Turnstile turnstile;
  private final Self self;
  private final LockLimits bounds;
  private final RequestScope scope;
  private final Confirmation confirmation;

  /** Of the lease if it is alive. */
  private long incarnation;

  /** Whether the shard was asked to end this actor. */
  private boolean leaving;

  /** Of a lease that has not recovered yet, as {@link Terms} say. */
  LeaseRoutine(Terms terms, Turnstile turnstile, Self self) {
    this(
        terms.lease(),
        terms.owned(),
        terms.keeper(),
        terms.store(),
        terms.settings().limits(),
        turnstile,
        self);
  }

  /**
   * Of a lease that has not recovered yet.
   *
   * @param owned the ownership under which the actor is made: it writes under no other
   * @param keeper of the shard under this ownership
   * @param turnstile through which the messages come
   */
  LeaseRoutine(
      long lease,
      OwnedShard owned,
      Keeper keeper,
      JournalStore store,
      LockLimits bounds,
      Turnstile turnstile,
      Self self) {
    this.lease = lease;
    this.owned = owned;
    this.keeper = keeper;
    this.store = store;
    this.turnstile = turnstile;
    this.self = self;
    this.bounds = bounds;
    this.confirmation = new Confirmation(store, owned);
    this.scope = RequestScope.of(owned.shard(), Ids.ofLease(lease));
  }

  @Override
  public LeaseState empty() {
    return LeaseState.NONE;
  }

  @Override
  public void recovered(LeaseState state) {
    incarnation = store.version().lease(lease).orElse(0);
    LeaseTerms terms = state.terms();
    if (terms != null && incarnation != 0) { // who wrote that may have ended before it was told
      keeper.leaseFound(new LeaseLife(lease, incarnation), terms.ttl().toDuration(), owned.doubt());
    }
    turnstile.open();
  }

  @Override
  public Reaction<LeaseState> on(LeaseState state, long written, ShardMessage message) {
    if (message instanceof LeaseMessage.Handle handle) {
      if (leaving) {
        self.passOn(handle);
        return Reaction.none();
      }
      return run(state, handle.command(), handle);
    } else if (message instanceof LeaseMessage.Due due) {
      return leaving || due.epoch() != owned.epoch() // of a keeper before, whose time is not ours
          ? Reaction.none()
          : run(state, due.command(), null);
    } else if (message instanceof ShardMessage.Lifecycle lifecycle) {
      return switch (lifecycle) {
        case STOP, GONE -> Reaction.stop();
        case NEXT, WAKE, OVERDUE -> Reaction.none();
      };
    }
    throw new IllegalArgumentException("not for a lease: [" + message + "]");
  }

  private Reaction<LeaseState> run(
      LeaseState state, LeaseCommand command, LeaseMessage.@Nullable Handle asked) {
    JournalVersion version = store.version(); // one for all that is decided here
    PastRequests past = new PastRequests(version, scope);
    LeaseMachine.Decision decision =
        LeaseMachine.decide(
            state, incarnation, command, request -> earlier(version, past, request));
    LeaseEvent event = decision.event();
    LeaseState after = decision.after();
    Optional<LeaseOutcome.Reason> full =
        event == null ? Optional.empty() : full(decision, version, past);
    if (full.isPresent()) {
      confirm(asked, new LeaseOutcome.Refused(full.get()), version.revision());
      return Reaction.none();
    } else if (event == null || after == null) {
      confirm(asked, decision.outcome(), version.revision());
      if (command instanceof LeaseCommand.Expire expire && owned.isSure()) {
        keeper.leaseEnded(new LeaseLife(lease, expire.incarnation()));
      }
      return Reaction.none();
    }
    turnstile.close();
    FencedEvent<LeaseState> write =
        new LeaseWrite(lease, incarnation, answers(decision, version, past))
            .event(owned, event, after);
    LeaseTerms before = state.terms();
    return Reaction.persist(write, () -> happened(after, before, asked, write.applied()));
  }

  /** Which bound stands against a decision, if one does. */
  private Optional<LeaseOutcome.Reason> full(
      LeaseMachine.Decision decision, JournalVersion version, PastRequests past) {
    AppliedLimits limits = limits(version, past);
    RequestId request = decision.request();
    boolean begins = decision.event() instanceof LeaseEvent.Granted;
    if (begins && limits.leases().isPresent()) {
      return Optional.of(LeaseOutcome.Reason.TOO_MANY_LEASES);
    } else if (begins && limits.state().isPresent()) {
      return Optional.of(LeaseOutcome.Reason.STATE_FULL);
    }
    return request != null && request.isRepeatable() && limits.requestIds(request, 0).isPresent()
        ? Optional.of(LeaseOutcome.Reason.TOO_MANY_REQUEST_IDS)
        : Optional.empty();
  }

  private AppliedLimits limits(JournalVersion version, PastRequests past) {
    return new AppliedLimits(version, owned.shard(), past, bounds);
  }

  private Optional<LeaseSettled> earlier(
      JournalVersion version, PastRequests past, RequestId request) {
    return version.request(owned.shard(), past.request(request)).map(SettledProto::lease);
  }

  /** The outcome to keep; for late copies of a request without an id if there is room. */
  private List<Answer> answers(
      LeaseMachine.Decision decision, JournalVersion version, PastRequests past) {
    LeaseSettled settled = decision.settled();
    RequestId request = decision.request();
    if (settled == null || request == null) {
      return List.of();
    }
    return request.isRepeatable() || limits(version, past).requestIds(request, 0).isEmpty()
        ? List.of(new Answer(past.request(request), SettledProto.write(settled)))
        : List.of();
  }

  private void happened(
      LeaseState state,
      @Nullable LeaseTerms before,
      LeaseMessage.@Nullable Handle asked,
      Verdict.Applied applied) {
    LeaseTerms begun = state.terms();
    if (begun != null) {
      incarnation = applied.revision();
      keeper.leaseBegan(new LeaseLife(lease, incarnation), begun.ttl().toDuration());
      tell(asked, new LeaseOutcome.Granted(incarnation, begun.ttl(), false), applied.revision());
    } else if (before != null) {
      keeper.leaseEnded(new LeaseLife(lease, incarnation));
      incarnation = 0;
      tell(asked, new LeaseOutcome.Ended(applied.ended(), false), applied.revision());
      leave(); // its end has left nothing in the journal: a next life begins with a next actor
    }
    turnstile.open();
  }

  /** Tells what was decided without a write, once that is confirmed; else who asked asks again. */
  private void confirm(
      LeaseMessage.@Nullable Handle asked, @Nullable LeaseOutcome outcome, long revision) {
    if (asked != null && outcome != null && owned.isSure()) {
      confirmation.then(
          version -> {
            if (!hasEnded(outcome, version)) {
              tell(asked, outcome, revision);
            }
          });
    }
  }

  private boolean hasEnded(LeaseOutcome outcome, JournalVersion version) {
    return outcome instanceof LeaseOutcome.Granted granted
        && Leases.hasEnded(version, new LeaseLife(lease, granted.incarnation()));
  }

  private static void tell(
      LeaseMessage.@Nullable Handle asked, LeaseOutcome outcome, long revision) {
    if (asked != null) {
      asked.replyTo().tell(new LeaseAnswer(asked.number(), revision, outcome));
    }
  }

  private void leave() {
    leaving = true;
    self.passivate();
  }
}
