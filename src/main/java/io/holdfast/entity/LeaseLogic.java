package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.RecipientRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import io.holdfast.config.LockLimits;
import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.OutcomeProto;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import io.holdfast.keeper.DeadlineKeeper;
import io.holdfast.keeper.EndedLeases;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lease.rules.LeaseMachine;
import io.holdfast.lease.rules.LeaseState;
import io.holdfast.lease.rules.RecordedLeaseOutcome;
import io.holdfast.lock.RequestId;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.ShardMessage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The logic of one shared lease's actor. It passes commands to the {@link LeaseMachine}, returns
 * the event to persist, and updates the deadline keeper of its shard.
 */
public final class LeaseLogic implements EntityLogic<LeaseState> {

  /**
   * The parts of a lease's actor.
   *
   * @param lease the id of the lease
   * @param shard the actor of its shard
   * @param entity the reference of the lease for everyone, which leads to its next actor
   * @param owned the only ownership under which the actor writes
   * @param keeper the keeper of the shard under this ownership
   * @param store the journal of the node
   */
  public record Terms(
      LeaseId lease,
      ActorRef<ClusterSharding.ShardCommand> shard,
      RecipientRef<ShardMessage> entity,
      OwnedShard owned,
      DeadlineKeeper keeper,
      JournalStore store,
      LockSettings settings) {}

  private final LeaseId lease;
  private final OwnedShard owned;
  private final DeadlineKeeper keeper;
  private final JournalStore store;
  private final CommandBatcher batcher;
  private final EntityControl control;
  private final LockLimits bounds;
  private final RequestScope scope;
  private final Confirmation confirmation;

  /** The incarnation of the lease if it is alive. */
  private Revision incarnation = Revision.NONE;

  /** True once the shard was asked to stop this actor. */
  private boolean leaving;

  /** Creates the logic of a lease that has not recovered yet. */
  public LeaseLogic(Terms terms, CommandBatcher batcher, EntityControl control) {
    this(
        terms.lease(),
        terms.owned(),
        terms.keeper(),
        terms.store(),
        terms.settings().limits(),
        batcher,
        control);
  }

  /**
   * Creates the logic of a lease that has not recovered yet.
   *
   * @param owned the only ownership under which the actor writes
   * @param keeper the keeper of the shard under this ownership
   * @param batcher the source of the messages
   */
  public LeaseLogic(
      LeaseId lease,
      OwnedShard owned,
      DeadlineKeeper keeper,
      JournalStore store,
      LockLimits bounds,
      CommandBatcher batcher,
      EntityControl control) {
    this.lease = lease;
    this.owned = owned;
    this.keeper = keeper;
    this.store = store;
    this.batcher = batcher;
    this.control = control;
    this.bounds = bounds;
    this.confirmation = new Confirmation(store, owned);
    this.scope = RequestScope.of(owned.shard(), EntityIds.ofLease(lease));
  }

  @Override
  public LeaseState empty() {
    return LeaseState.NONE;
  }

  @Override
  public void recovered(LeaseState state) {
    incarnation = store.version().lease(lease).map(LeaseLife::incarnation).orElse(Revision.NONE);
    LeaseTerms terms = state.terms();
    boolean isAlive = !incarnation.equals(Revision.NONE);
    if (terms != null && isAlive) { // its writer may have ended before it told the keeper
      keeper.leaseFound(LeaseLife.of(lease, incarnation), terms.ttl().toDuration(), owned.doubt());
    }
    batcher.open();
  }

  @Override
  public Reaction<LeaseState> on(LeaseState state, long written, ShardMessage message) {
    if (message instanceof LeaseMessage.Handle handle) {
      if (leaving) {
        control.passOn(handle);
        return Reaction.none();
      }
      return run(state, handle.command(), handle);
    } else if (message instanceof LeaseMessage.Due due) {
      return leaving
              || !due.epoch().equals(owned.epoch()) // a deadline of a former owner does not count
          ? Reaction.none()
          : run(state, due.command(), null);
    } else if (message instanceof ShardMessage.Lifecycle lifecycle) {
      return switch (lifecycle) {
        case STOP, GONE -> Reaction.stop();
        case NEXT, WAKE, OVERDUE -> Reaction.none();
      };
    }
    throw new IllegalArgumentException("not a message to a lease: [" + message + "]");
  }

  private Reaction<LeaseState> run(
      LeaseState state, LeaseCommand command, LeaseMessage.@Nullable Handle asked) {
    JournalVersion version = store.version(); // one version for the whole decision
    RequestHistory history = new RequestHistory(version, scope);
    LeaseMachine.Decision decision =
        LeaseMachine.decide(
            state, incarnation, command, request -> earlier(version, history, request));
    LeaseEvent event = decision.event();
    LeaseState after = decision.after();
    Optional<LeaseOutcome.Reason> full =
        event == null ? Optional.empty() : full(decision, version, history);
    if (full.isPresent()) {
      confirm(asked, new LeaseOutcome.Refused(full.get()), version.revision());
      return Reaction.none();
    } else if (event == null || after == null) {
      confirm(asked, decision.outcome(), version.revision());
      if (command instanceof LeaseCommand.Expire expire && owned.isSure()) {
        keeper.leaseEnded(LeaseLife.of(lease, expire.incarnation()));
      }
      return Reaction.none();
    }
    batcher.close();
    FencedEvent<LeaseState> write =
        new LeaseWrite(lease, incarnation, answers(decision, version, history))
            .event(owned, event, after);
    LeaseTerms before = state.terms();
    return Reaction.persist(write, () -> persisted(after, before, asked, write.applied()));
  }

  /** Returns the limit that the decision would exceed, if there is one. */
  private Optional<LeaseOutcome.Reason> full(
      LeaseMachine.Decision decision, JournalVersion version, RequestHistory history) {
    AppliedLimits limits = limits(version, history);
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

  private AppliedLimits limits(JournalVersion version, RequestHistory history) {
    return new AppliedLimits(version, owned.shard(), history, bounds);
  }

  private Optional<RecordedLeaseOutcome> earlier(
      JournalVersion version, RequestHistory history, RequestId request) {
    return version.request(owned.shard(), history.request(request)).map(OutcomeProto::lease);
  }

  /**
   * Returns the outcome to record. A request without an id gets one if there is room, for late
   * copies.
   */
  private List<AnsweredRequest> answers(
      LeaseMachine.Decision decision, JournalVersion version, RequestHistory history) {
    RecordedLeaseOutcome recorded = decision.recorded();
    RequestId request = decision.request();
    if (recorded == null || request == null) {
      return List.of();
    }
    return request.isRepeatable() || limits(version, history).requestIds(request, 0).isEmpty()
        ? List.of(new AnsweredRequest(history.request(request), OutcomeProto.write(recorded)))
        : List.of();
  }

  private void persisted(
      LeaseState state,
      @Nullable LeaseTerms before,
      LeaseMessage.@Nullable Handle asked,
      Verdict.Applied applied) {
    LeaseTerms begun = state.terms();
    if (begun != null) {
      incarnation = applied.revision();
      keeper.leaseBegan(LeaseLife.of(lease, incarnation), begun.ttl().toDuration());
      answer(asked, new LeaseOutcome.Granted(incarnation, begun.ttl(), false), applied.revision());
    } else if (before != null) {
      keeper.leaseEnded(LeaseLife.of(lease, incarnation));
      incarnation = Revision.NONE;
      answer(asked, new LeaseOutcome.Ended(applied.ended(), false), applied.revision());
      leave(); // the journal has nothing of it now: a next incarnation begins with a next actor
    }
    batcher.open();
  }

  /**
   * Answers without a write, once the decision is confirmed. Without a confirmation, the caller
   * asks again.
   */
  private void confirm(
      LeaseMessage.@Nullable Handle asked, @Nullable LeaseOutcome outcome, Revision revision) {
    if (asked != null && outcome != null && owned.isSure()) {
      confirmation.then(
          version -> {
            if (!hasEnded(outcome, version)) {
              answer(asked, outcome, revision);
            }
          });
    }
  }

  private boolean hasEnded(LeaseOutcome outcome, JournalVersion version) {
    return outcome instanceof LeaseOutcome.Granted granted
        && EndedLeases.hasEnded(version, LeaseLife.of(lease, granted.incarnation()));
  }

  private static void answer(
      LeaseMessage.@Nullable Handle asked, LeaseOutcome outcome, Revision revision) {
    if (asked != null) {
      asked.replyTo().tell(new LeaseAnswer(asked.number(), revision, outcome));
    }
  }

  private void leave() {
    leaving = true;
    control.passivate();
  }
}
