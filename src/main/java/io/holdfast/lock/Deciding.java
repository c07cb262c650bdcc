package io.holdfast.lock;

import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.Outcome.Manner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules of a lock, played on commands that came together, one after the other. */
final class Deciding implements LockCommand.Cases<Outcome> {

  /*
   * Whatever is asked, what hung on a lease that has ended goes first: holders and waiters that
   * live no more are not there, for anyone. So the hand-over that the end of a lease asks for may
   * come with the next command, or with the word of that end, whichever is first. A waiter that a
   * command takes out of the line goes even before that: it shall not be granted the lock any more.
   */

  private final Given given;
  private final int maxWaiters;
  private final Unfolding now;
  private final Earlier earlier;
  private final Room room;
  private final Settling settling;

  Deciding(LockState state, Given given, int maxWaiters) {
    this.given = given;
    this.maxWaiters = maxWaiters;
    now = new Unfolding(state);
    earlier = new Earlier(given, now);
    room = new Room(given.limits(), now);
    settling = new Settling(now, earlier, room);
  }

  Batch decide(List<LockCommand> commands) {
    List<Decision> decisions = new ArrayList<>(commands.size());
    for (LockCommand command : commands) {
      now.next();
      decisions.add(decide(command));
    }
    return now.batch(decisions);
  }

  private Decision decide(LockCommand command) {
    try {
      Outcome outcome = command.match(this);
      boolean kept =
          !(command instanceof LockCommand.Acquire acquire) || settling.isKept(acquire, outcome);
      return new Decision(outcome, kept, waitsStill(outcome) || holdsStill(outcome), now.size());
    } catch (Room.Stopped e) {
      now.takeBack();
      boolean kept = !(command instanceof LockCommand.Acquire) || hasNoPlace(e.why());
      return new Decision(refused(e.why()), kept, /* isSign= */ false, now.size());
    }
  }

  /** What has no place cannot be kept, and no copy has a place either for as long as that lasts. */
  private static boolean hasNoPlace(Refusal why) {
    return why instanceof Refusal.LimitReached reached
        && (reached.limit() == Refusal.Limit.REQUEST_IDS || reached.limit() == Refusal.Limit.STATE);
  }

  /* To be told of what was there before is a sign of life of it, and so is a reentry. */

  private boolean waitsStill(Outcome outcome) {
    return outcome instanceof Outcome.Waiting waiting
        && now.found().position(waiting.request()) > 0;
  }

  private boolean holdsStill(Outcome outcome) {
    return outcome instanceof Outcome.Acquired acquired
        && acquired.isHeld()
        && now.found().holder(acquired.token()).isPresent();
  }

  private void letGoOfTheDead() {
    for (Waiter waiter : now.state().waiters().endedWith(given.hasEnded())) {
      leaveLine(waiter, LeaveCause.LEASE_ENDED);
    }
    for (Holder holder : now.state().holders()) {
      if (hasEnded(holder.life())) {
        end(holder, Ending.LEASE_ENDED);
      }
    }
  }

  /*
   * Of a request that was sent more than once, the copies are decided one after the other, and the
   * last one perhaps long after its client was told. What changes nothing would leave no trace: a
   * late copy would be a new request, and be granted the lock for nobody.
   */
  @Override
  public Outcome acquire(LockCommand.Acquire acquire) {
    Outcome outcome = decided(acquire);
    Request request = acquire.request();
    boolean waits = now.state().position(request.id()) > 0;
    if (acquire.repeated() && !waits && !settling.isKept(acquire, outcome)) {
      settling.bar(
          request.id(),
          outcome instanceof Outcome.Acquired acquired
              ? new Settled.Granted(request.content(), acquired.token(), acquired.life())
              : new Settled.NotGranted(request.content(), LeaveCause.REFUSED, 0));
    }
    return outcome;
  }

  private Outcome decided(LockCommand.Acquire acquire) {
    letGoOfTheDead();
    Optional<Outcome> known = earlier.of(acquire);
    if (known.isPresent()) {
      return known.get();
    } else if (hasEnded(acquire.life())) {
      return refused(new Refusal.LeaseGone(acquire.life().lease().orElseThrow()));
    }
    Holder holder = now.state().holder().orElse(null);
    if (holder == null) {
      return full(acquire).orElseGet(() -> grant(acquire));
    } else if (holder.id().equals(acquire.holder())) {
      return acquire.reenter()
          ? reenter(acquire, holder)
          : Outcome.Acquired.of(holder, Manner.AT_ONCE);
    }
    return acquire.patience().waits() ? queue(acquire) : refused(new Refusal.Held(holder));
  }

  private Outcome grant(LockCommand.Acquire acquire) {
    room.require(acquire.request().id());
    Holder holder =
        new Holder(
            acquire.holder(), acquire.request(), token(), acquire.life(), 1, acquire.metadata());
    now.happened(new LockEvent.Granted(holder));
    settling.settle(
        holder.request().id(),
        new Settled.Granted(holder.request().content(), holder.token(), holder.life()));
    return Outcome.Acquired.of(holder, Manner.AT_ONCE);
  }

  private Outcome reenter(LockCommand.Acquire acquire, Holder holder) {
    if (holder.count() == Holder.MAX_COUNT) {
      return refused(new Refusal.CountFull(Holder.MAX_COUNT));
    }
    Optional<Refusal> full = room.stateFull();
    if (full.isPresent()) {
      return refused(full.get());
    }
    room.require(acquire.request().id());
    now.happened(new LockEvent.Reentered(holder.token(), holder.count() + 1));
    settling.settleForCopies(
        acquire.request().id(),
        new Settled.Granted(acquire.request().content(), holder.token(), holder.life()));
    return Outcome.Acquired.of(holder.withCount(holder.count() + 1), Manner.AT_ONCE);
  }

  private Outcome queue(LockCommand.Acquire acquire) {
    Waiter waiter =
        new Waiter(
            acquire.holder(),
            acquire.request(),
            acquire.life(),
            acquire.patience(),
            acquire.metadata(),
            given.revision());
    int position = now.state().waiters().size() + 1;
    if (position > maxWaiters || isTooMuchToKeep(waiter)) {
      return refused(new Refusal.QueueFull(position - 1));
    }
    Optional<Outcome> full = full(acquire);
    if (full.isPresent()) {
      return full.get();
    }
    room.require(acquire.request().id());
    now.happened(new LockEvent.Queued(waiter));
    return new Outcome.Waiting(acquire.request().id(), position);
  }

  private Optional<Outcome> full(LockCommand.Acquire acquire) {
    return room.stateFull().or(() -> room.leaseFull(acquire.life())).map(Deciding::refused);
  }

  private boolean isTooMuchToKeep(Waiter waiter) {
    Line line = now.state().waiters();
    return line.metadataBytes() + waiter.metadata().size() > LockMachine.MAX_METADATA_IN_LINE
        || line.bytes() + waiter.bytes() > LockMachine.MAX_LINE_BYTES;
  }

  @Override
  public Outcome release(LockCommand.Release release) {
    letGoOfTheDead();
    Request request = release.request();
    Optional<Outcome> known = earlier.of(request, Settled.Released.class);
    if (known.isPresent()) {
      return known.get();
    }
    Holder holder = known(release.token()).orElse(null);
    if (holder == null) {
      return notHolder(release.token());
    }
    room.require(request.id());
    int count = letGo(holder, release.all(), request.id());
    Settled released = new Settled.Released(request.content(), holder.token(), count);
    if (count > 0) { // else the token tells
      settling.settleForCopies(request.id(), released);
    } else {
      settling.settle(request.id(), released);
    }
    return new Outcome.Released(holder.token(), count, /* repeated= */ false);
  }

  /** Who holds by this token. Whoever was granted it just now is not meant: nobody knows of it. */
  private Optional<Holder> known(FencingToken token) {
    return now.state().holder(token).filter(now.found().holders()::contains);
  }

  /** Takes one from the count, or ends the grant. Answers what remains of the count. */
  private int letGo(Holder holder, boolean all, RequestId request) {
    if (all || holder.count() == 1) {
      end(holder, Ending.RELEASED);
      return 0;
    }
    if (earlier.isKept(request)) {
      room.requireReserve(); // its outcome is kept, and nothing goes for it
    }
    now.happened(new LockEvent.SteppedOut(holder.token(), holder.count() - 1));
    return holder.count() - 1;
  }

  @Override
  public Outcome expire(LockCommand.Expire expire) {
    letGoOfTheDead();
    Holder holder = known(expire.token()).orElse(null);
    if (holder == null) {
      return notHolder(expire.token());
    }
    end(holder, Ending.EXPIRED);
    return new Outcome.Released(holder.token(), 0, /* repeated= */ false);
  }

  /** Nobody hears of the outcome; what is there already is not written again. */
  @Override
  public Outcome age(LockCommand.Age age) {
    letGoOfTheDead();
    Holder holder = known(age.token()).orElse(null);
    if (holder == null) {
      return notHolder(age.token());
    } else if (holder.life().lease().isEmpty() && !holder.aged().equals(age.aged())) {
      now.happened(new LockEvent.Aged(holder.token(), age.aged()));
    }
    return new Outcome.Swept();
  }

  @Override
  public Outcome leave(LockCommand.Leave leave) {
    boolean left = leaveLine(leave.request(), leave.cause());
    letGoOfTheDead();
    return left
        ? new Outcome.Withdrawn(leave.request())
        : refused(new Refusal.NotWaiting(leave.request()));
  }

  @Override
  public Outcome cancel(LockCommand.Cancel cancel) {
    boolean dropped = leaveLine(cancel.request(), LeaveCause.CANCELLED);
    letGoOfTheDead();
    if (dropped) {
      return new Outcome.Cancelled(/* dropped= */ true, null);
    }
    RequestId cancelling = new RequestId.Cancelling(cancel.request());
    Optional<Settled> again = earlier.settled(cancelling);
    if (again.isPresent()) { // else it would take one more from the count each time
      return new Outcome.Cancelled(/* dropped= */ false, released(again.get()));
    }
    Optional<Settled> settled = earlier.settled(cancel.request());
    Optional<FencingToken> granted =
        earlier
            .holder(cancel.request())
            .map(Holder::token)
            .or(
                () ->
                    settled.flatMap(
                        known ->
                            known instanceof Settled.Granted given
                                ? Optional.of(given.token())
                                : Optional.empty()));
    Optional<Holder> holder = granted.flatMap(token -> now.state().holder(token));
    if (holder.isPresent()) {
      FencingToken token = holder.get().token();
      int count = letGo(holder.get(), /* all= */ false, cancelling);
      if (count > 0) { // else the token tells
        room.require(cancelling);
        settling.settleForCopies(cancelling, new Settled.Released(Content.ANY, token, count));
      } else if (settled.isEmpty() && !cancel.request().isRepeatable()) {
        settling.settleForCopies(
            cancel.request(), new Settled.NotGranted(Content.ANY, LeaveCause.CANCELLED, 0));
      }
      return new Outcome.Cancelled(/* dropped= */ false, token);
    }
    if (settled.isEmpty() && granted.isEmpty()) {
      settling.bar(cancel.request(), new Settled.NotGranted(Content.ANY, LeaveCause.CANCELLED, 0));
    }
    return new Outcome.Cancelled(/* dropped= */ false, null);
  }

  private static @Nullable FencingToken released(Settled cancelling) {
    return cancelling instanceof Settled.Released released ? released.token() : null;
  }

  @Override
  public Outcome force(LockCommand.Force force) {
    letGoOfTheDead();
    Request request = force.request();
    Optional<Outcome> known = earlier.of(request, Settled.Forced.class);
    if (known.isPresent()) {
      return known.get();
    }
    Holder holder = now.state().holder().flatMap(held -> known(held.token())).orElse(null);
    FencingToken only = force.only().orElse(null);
    if (only != null && (holder == null || !holder.token().equals(only))) {
      return notHolder(only);
    } else if (holder == null) {
      return new Outcome.Forced(List.of(), /* repeated= */ false);
    }
    room.require(request.id());
    List<FencingToken> taken = List.of(holder.token());
    end(holder, Ending.forced(force.reason()));
    settling.settleForCopies(request.id(), new Settled.Forced(request.content(), taken));
    return new Outcome.Forced(taken, /* repeated= */ false);
  }

  @Override
  public Outcome sweep(LockCommand.Sweep sweep) {
    letGoOfTheDead();
    return new Outcome.Swept();
  }

  /** Ends a grant: the lock is free, or with the first in line. */
  private void end(Holder holder, Ending ending) {
    if (now.state().waiters().isEmpty()) {
      now.happened(new LockEvent.Freed(holder.token(), ending));
      return;
    }
    Waiter first = now.state().waiters().get(0);
    Holder next = first.granted(token());
    now.happened(new LockEvent.HandedOver(holder.token(), ending, next));
    Settled granted = new Settled.Granted(first.request().content(), next.token(), next.life());
    settling.settle(first.request().id(), granted);
    settling.waited(first.request().id(), Outcome.Acquired.of(next, Manner.AFTER_WAITING));
  }

  private boolean leaveLine(RequestId request, LeaveCause cause) {
    int position = now.state().position(request);
    if (position > 0) {
      leaveLine(now.state().waiters().get(position - 1), cause);
    }
    return position > 0;
  }

  private void leaveLine(Waiter waiter, LeaveCause cause) {
    RequestId request = waiter.request().id();
    int position = now.state().position(request);
    Holder holder = now.state().holder().filter(h -> !hasEnded(h.life())).orElse(null);
    now.happened(new LockEvent.Left(request, cause));
    Settled left = new Settled.NotGranted(waiter.request().content(), cause, position);
    if (cause == LeaveCause.CANCELLED) { // who cancels it asks for nothing more
      settling.settleForCopies(request, left);
    } else {
      settling.settle(request, left);
    }
    Refusal why = new Refusal.LeftLine(request, cause, position, holder, /* repeated= */ false);
    settling.waited(request, refused(why));
  }

  private FencingToken token() {
    return given.tokens().get().orElseThrow(() -> new Room.Stopped(new Refusal.NoToken()));
  }

  private boolean hasEnded(Life life) {
    return LockMachine.hasEnded(life, given.hasEnded());
  }

  private Outcome notHolder(FencingToken token) {
    @Nullable Holder holder = now.state().holder().orElse(null);
    return refused(new Refusal.NotHolder(token, holder));
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }
}
