package io.holdfast.lock.rules;

import io.holdfast.lock.ContentHash;
import io.holdfast.lock.Decision;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Outcome.Manner;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides a batch of commands by the rules of a lock, one after the other. */
final class LockRules implements LockCommand.Cases<Outcome> {

  /*
   * Every command first removes the holders and waiters whose lease has ended: they no longer exist
   * for anyone. So the hand-over at the end of a lease comes with the next command, or with the
   * notice of that end, whichever is first. A waiter that the command itself removes from the queue
   * goes before that, so that it is not granted the lock.
   */

  private final DecisionContext context;
  private final int maxWaiters;
  private final BatchBuilder batch;
  private final EarlierOutcomes earlier;
  private final CapacityCheck capacity;
  private final OutcomeRecorder recorder;

  LockRules(LockState state, DecisionContext context, int maxWaiters) {
    this.context = context;
    this.maxWaiters = maxWaiters;
    batch = new BatchBuilder(state);
    earlier = new EarlierOutcomes(context, batch);
    capacity = new CapacityCheck(context.limits(), batch);
    recorder = new OutcomeRecorder(batch, earlier, capacity);
  }

  Batch decide(List<LockCommand> commands) {
    List<Decision> decisions = new ArrayList<>(commands.size());
    for (LockCommand command : commands) {
      batch.beginCommand();
      decisions.add(decide(command));
    }
    return batch.build(decisions);
  }

  private Decision decide(LockCommand command) {
    try {
      Outcome outcome = command.match(this);
      boolean kept =
          !(command instanceof LockCommand.Acquire acquire) || recorder.isKept(acquire, outcome);
      return new Decision(outcome, kept, stillWaits(outcome) || stillHolds(outcome), batch.size());
    } catch (CapacityCheck.Rejected e) {
      batch.rollBack();
      boolean kept = !(command instanceof LockCommand.Acquire) || e.hasNoRoom();
      return new Decision(refused(e.why()), kept, /* isKeepalive= */ false, batch.size());
    }
  }

  /* A repeated request is a keepalive of what was there before, and so is a reentry. */

  private boolean stillWaits(Outcome outcome) {
    return outcome instanceof Outcome.Waiting waiting
        && batch.before().position(waiting.request()) > 0;
  }

  private boolean stillHolds(Outcome outcome) {
    return outcome instanceof Outcome.Acquired acquired
        && acquired.isHeld()
        && batch.before().holder(acquired.token()).isPresent();
  }

  private void removeEnded() {
    for (Waiter waiter : context.ended().apply(batch.state().waiters())) {
      leaveQueue(waiter, LeaveCause.LEASE_ENDED);
    }
    for (Holder holder : batch.state().holders()) {
      if (hasEnded(holder.life())) {
        end(holder, GrantEnding.LEASE_ENDED);
      }
    }
  }

  /*
   * Copies of one request are decided one after the other, the last one perhaps long after its
   * client was answered. An outcome that changes nothing leaves no event. Without a record of it, a
   * late copy would be a new request, and would be granted the lock for nobody.
   */
  @Override
  public Outcome acquire(LockCommand.Acquire acquire) {
    Outcome outcome = decideAcquire(acquire);
    RequestHeader request = acquire.request();
    boolean waits = batch.state().position(request.id()) > 0;
    if (acquire.repeated() && !waits && !recorder.isKept(acquire, outcome)) {
      recorder.recordUnchanged(
          request.id(),
          outcome instanceof Outcome.Acquired acquired
              ? new RecordedOutcome.Granted(request.content(), acquired.token(), acquired.life())
              : new RecordedOutcome.NotGranted(request.content(), LeaveCause.REFUSED, 0));
    }
    return outcome;
  }

  private Outcome decideAcquire(LockCommand.Acquire acquire) {
    removeEnded();
    Optional<Outcome> known = earlier.of(acquire);
    if (known.isPresent()) {
      return known.get();
    } else if (hasEnded(acquire.life())) {
      return refused(new Refusal.LeaseGone(acquire.life().lease().orElseThrow()));
    }
    Holder holder = batch.state().holder().orElse(null);
    if (holder == null) {
      return full(acquire).orElseGet(() -> grant(acquire));
    } else if (holder.id().equals(acquire.holder())) {
      return acquire.reenter()
          ? reenter(acquire, holder)
          : Outcome.Acquired.of(holder, Manner.AT_ONCE);
    }
    return acquire.waitTimeout().waits() ? queue(acquire) : refused(new Refusal.Held(holder));
  }

  private Outcome grant(LockCommand.Acquire acquire) {
    capacity.require(acquire.request().id());
    Holder holder =
        new Holder(
            acquire.holder(), acquire.request(), token(), acquire.life(), 1, acquire.metadata());
    batch.apply(new LockEvent.Granted(holder));
    recorder.record(
        holder.request().id(),
        new RecordedOutcome.Granted(holder.request().content(), holder.token(), holder.life()));
    return Outcome.Acquired.of(holder, Manner.AT_ONCE);
  }

  private Outcome reenter(LockCommand.Acquire acquire, Holder holder) {
    if (holder.count() == Holder.MAX_COUNT) {
      return refused(new Refusal.CountFull(Holder.MAX_COUNT));
    }
    Optional<Refusal> full = capacity.stateFull();
    if (full.isPresent()) {
      return refused(full.get());
    }
    capacity.require(acquire.request().id());
    batch.apply(new LockEvent.Reentered(holder.token(), holder.count() + 1));
    recorder.recordForCopies(
        acquire.request().id(),
        new RecordedOutcome.Granted(acquire.request().content(), holder.token(), holder.life()));
    return Outcome.Acquired.of(holder.withCount(holder.count() + 1), Manner.AT_ONCE);
  }

  private Outcome queue(LockCommand.Acquire acquire) {
    Waiter waiter =
        new Waiter(
            acquire.holder(),
            acquire.request(),
            acquire.life(),
            acquire.waitTimeout(),
            acquire.metadata(),
            context.revision().value());
    WaiterQueue waiters = batch.state().waiters();
    int position = waiters.size() + 1;
    if (position > maxWaiters || !waiters.hasRoomFor(waiter)) {
      return refused(new Refusal.QueueFull(position - 1));
    }
    Optional<Outcome> full = full(acquire);
    if (full.isPresent()) {
      return full.get();
    }
    capacity.require(acquire.request().id());
    batch.apply(new LockEvent.Queued(waiter));
    return new Outcome.Waiting(acquire.request().id(), position);
  }

  private Optional<Outcome> full(LockCommand.Acquire acquire) {
    return capacity
        .stateFull()
        .or(() -> capacity.leaseFull(acquire.life()))
        .map(LockRules::refused);
  }

  @Override
  public Outcome release(LockCommand.Release release) {
    removeEnded();
    RequestHeader request = release.request();
    Optional<Outcome> known = earlier.of(request, RecordedOutcome.Released.class);
    if (known.isPresent()) {
      return known.get();
    }
    Holder holder = known(release.token()).orElse(null);
    if (holder == null) {
      return notHolder(release.token());
    }
    capacity.require(request.id());
    int count = releaseOnce(holder, release.all(), request.id());
    RecordedOutcome released =
        new RecordedOutcome.Released(request.content(), holder.token(), count);
    if (count > 0) { // with no count left, the token shows the end
      recorder.recordForCopies(request.id(), released);
    } else {
      recorder.record(request.id(), released);
    }
    return new Outcome.Released(holder.token(), count, /* repeated= */ false);
  }

  /**
   * Finds the holder with this token. A grant of this very batch does not count: nobody knows its
   * token yet.
   */
  private Optional<Holder> known(FencingToken token) {
    return batch.state().holder(token).filter(batch.before().holders()::contains);
  }

  /** Takes one from the count, or ends the grant. Returns the remaining count. */
  private int releaseOnce(Holder holder, boolean all, RequestId request) {
    if (all || holder.count() == 1) {
      end(holder, GrantEnding.RELEASED);
      return 0;
    }
    if (earlier.isKept(request)) {
      capacity.requireReserve(); // the outcome takes space, and nothing is freed for it
    }
    batch.apply(new LockEvent.SteppedOut(holder.token(), holder.count() - 1));
    return holder.count() - 1;
  }

  @Override
  public Outcome expire(LockCommand.Expire expire) {
    removeEnded();
    Holder holder = known(expire.token()).orElse(null);
    if (holder == null) {
      return notHolder(expire.token());
    }
    end(holder, GrantEnding.EXPIRED);
    return new Outcome.Released(holder.token(), 0, /* repeated= */ false);
  }

  /** Records the age of a grant, unless it is recorded already. Nobody reads the outcome. */
  @Override
  public Outcome age(LockCommand.Age age) {
    removeEnded();
    Holder holder = known(age.token()).orElse(null);
    if (holder == null) {
      return notHolder(age.token());
    } else if (holder.life().lease().isEmpty() && !holder.aged().equals(age.aged())) {
      batch.apply(new LockEvent.Aged(holder.token(), age.aged()));
    }
    return new Outcome.OrphansRemoved();
  }

  @Override
  public Outcome leave(LockCommand.Leave leave) {
    boolean left = leaveQueue(leave.request(), leave.cause());
    removeEnded();
    return left
        ? new Outcome.Withdrawn(leave.request())
        : refused(new Refusal.NotWaiting(leave.request()));
  }

  @Override
  public Outcome cancel(LockCommand.Cancel cancel) {
    boolean dropped = leaveQueue(cancel.request(), LeaveCause.CANCELLED);
    removeEnded();
    if (dropped) {
      return new Outcome.Cancelled(/* dropped= */ true, null);
    }
    RequestId cancelling = new RequestId.Cancelling(cancel.request());
    Optional<RecordedOutcome> again = earlier.recorded(cancelling);
    if (again.isPresent()) { // each repetition would take one more from the count
      return new Outcome.Cancelled(/* dropped= */ false, again.get().released());
    }
    Optional<RecordedOutcome> recorded = earlier.recorded(cancel.request());
    Optional<FencingToken> granted =
        earlier
            .holder(cancel.request())
            .map(Holder::token)
            .or(
                () ->
                    recorded.flatMap(
                        known ->
                            known instanceof RecordedOutcome.Granted given
                                ? Optional.of(given.token())
                                : Optional.empty()));
    Optional<Holder> holder = granted.flatMap(token -> batch.state().holder(token));
    if (holder.isPresent()) {
      FencingToken token = holder.get().token();
      int count = releaseOnce(holder.get(), /* all= */ false, cancelling);
      if (count > 0) { // with no count left, the token shows the end
        capacity.require(cancelling);
        recorder.recordForCopies(
            cancelling, new RecordedOutcome.Released(ContentHash.ANY, token, count));
      } else if (recorded.isEmpty() && !cancel.request().isRepeatable()) {
        recorder.recordForCopies(
            cancel.request(),
            new RecordedOutcome.NotGranted(ContentHash.ANY, LeaveCause.CANCELLED, 0));
      }
      return new Outcome.Cancelled(/* dropped= */ false, token);
    }
    if (recorded.isEmpty() && granted.isEmpty()) {
      recorder.recordUnchanged(
          cancel.request(),
          new RecordedOutcome.NotGranted(ContentHash.ANY, LeaveCause.CANCELLED, 0));
    }
    return new Outcome.Cancelled(/* dropped= */ false, null);
  }

  @Override
  public Outcome force(LockCommand.Force force) {
    removeEnded();
    RequestHeader request = force.request();
    Optional<Outcome> known = earlier.of(request, RecordedOutcome.Forced.class);
    if (known.isPresent()) {
      return known.get();
    }
    Holder holder = batch.state().holder().flatMap(held -> known(held.token())).orElse(null);
    FencingToken only = force.onlyToken().orElse(null);
    if (only != null && (holder == null || !holder.token().equals(only))) {
      return notHolder(only);
    } else if (holder == null) {
      return new Outcome.Forced(List.of(), /* repeated= */ false);
    }
    capacity.require(request.id());
    List<FencingToken> taken = List.of(holder.token());
    end(holder, GrantEnding.forced(force.reason()));
    recorder.recordForCopies(request.id(), new RecordedOutcome.Forced(request.content(), taken));
    return new Outcome.Forced(taken, /* repeated= */ false);
  }

  @Override
  public Outcome removeOrphans(LockCommand.RemoveOrphans remove) {
    removeEnded();
    return new Outcome.OrphansRemoved();
  }

  /** Ends a grant. The lock is free then, or held by the first in the queue. */
  private void end(Holder holder, GrantEnding ending) {
    if (batch.state().waiters().isEmpty()) {
      batch.apply(new LockEvent.Freed(holder.token(), ending));
      return;
    }
    Waiter first = batch.state().waiters().get(0);
    Holder next = first.granted(token());
    batch.apply(new LockEvent.HandedOver(holder.token(), ending, next));
    RecordedOutcome granted =
        new RecordedOutcome.Granted(first.request().content(), next.token(), next.life());
    recorder.record(first.request().id(), granted);
    recorder.endWait(first.request().id(), Outcome.Acquired.of(next, Manner.AFTER_WAITING));
  }

  private boolean leaveQueue(RequestId request, LeaveCause cause) {
    int position = batch.state().position(request);
    if (position > 0) {
      leaveQueue(batch.state().waiters().get(position - 1), cause);
    }
    return position > 0;
  }

  private void leaveQueue(Waiter waiter, LeaveCause cause) {
    RequestId request = waiter.request().id();
    int position = batch.state().position(request);
    Holder holder = batch.state().holder().filter(h -> !hasEnded(h.life())).orElse(null);
    batch.apply(new LockEvent.Left(request, cause));
    RecordedOutcome left =
        new RecordedOutcome.NotGranted(waiter.request().content(), cause, position);
    if (cause == LeaveCause.CANCELLED) { // copies may be in flight
      recorder.recordForCopies(request, left);
    } else {
      recorder.record(request, left);
    }
    Refusal why = new Refusal.LeftQueue(request, cause, position, holder, /* repeated= */ false);
    recorder.endWait(request, refused(why));
  }

  private FencingToken token() {
    return context.tokens().get().orElseThrow(CapacityCheck::noToken);
  }

  private boolean hasEnded(Lifetime life) {
    return LockMachine.hasEnded(life, context.hasEnded());
  }

  private Outcome notHolder(FencingToken token) {
    return refused(new Refusal.NotHolder(token, batch.state().holder().orElse(null)));
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }
}
