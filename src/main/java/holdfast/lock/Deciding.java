package holdfast.lock;

import holdfast.lock.Decision.Notice;
import holdfast.lock.Decision.Settlement;
import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.Outcome.Manner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One decision in the making: the state as its events leave it so far. */
final class Deciding implements LockCommand.Cases<Outcome> {

  /*
   * Whatever is asked, what hung on a lease that has ended goes first: holders and waiters that
   * live no more are not there, for anyone. So the hand-over that the end of a lease asks for may
   * come with the next command, or with the word of that end, whichever is first. A waiter that a
   * command takes out of the line goes even before that: it shall not be granted the lock any more.
   *
   * A command needs at most one token: the lock is granted at most once in a decision, since who
   * is granted it first holds it then, and nothing that is asked for can end what it did not know.
   */

  /** What was asked cannot be done, for a reason that is found on the way. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Refusal why;

    Stopped(Refusal why) {
      super(why.toString(), null, false, false);
      this.why = why;
    }
  }

  private final LockState before;
  private final Given given;
  private final int maxWaiters;
  private final List<LockEvent> events = new ArrayList<>(1);
  private final List<Notice> notices = new ArrayList<>(1);
  private final List<Settlement> settlements = new ArrayList<>(1);
  private LockState state;

  /** How many of the events only let go of the dead. */
  private int swept;

  Deciding(LockState state, Given given, int maxWaiters) {
    before = state;
    this.state = state;
    this.given = given;
    this.maxWaiters = maxWaiters;
  }

  Decision decide(LockCommand command) {
    try {
      Outcome outcome = command.match(this);
      boolean kept = !(command instanceof LockCommand.Acquire acquire) || isKept(acquire, outcome);
      return new Decision(events, outcome, notices, settlements, events.size() > swept, kept);
    } catch (Stopped e) {
      boolean kept = !(command instanceof LockCommand.Acquire) || hasNoPlace(e.why);
      Outcome outcome = refused(e.why);
      return new Decision(List.of(), outcome, List.of(), List.of(), /* changes= */ false, kept);
    }
  }

  private boolean isKept(LockCommand.Acquire acquire, Outcome outcome) {
    RequestId request = acquire.request().id();
    return earlier().settled(request).isPresent()
        || !earlier().isKnown(request) // a copy finds what it holds, or is refused
        || (outcome instanceof Outcome.Refused refused && isForEver(refused.refusal()));
  }

  /** What has no place cannot be kept, and no copy has a place either for as long as that lasts. */
  private static boolean hasNoPlace(Refusal why) {
    return why instanceof Refusal.LimitReached reached
        && (reached.limit() == Refusal.Limit.REQUEST_IDS || reached.limit() == Refusal.Limit.STATE);
  }

  /** Whether no copy of the request can be decided in another way. */
  private static boolean isForEver(Refusal refusal) {
    return isOf(refusal, Refusal.RequestReused.class)
        || isOf(refusal, Refusal.RequestForgotten.class)
        || isOf(refusal, Refusal.LeaseGone.class);
  }

  /** Asked by class: a ladder over the refusals would have to name them all. */
  private static boolean isOf(Refusal refusal, Class<? extends Refusal> kind) {
    return kind.isInstance(refusal);
  }

  /** What requests came to so far. */
  private Earlier earlier() {
    return new Earlier(given, state, settlements);
  }

  private void letGoOfTheDead() {
    int asked = events.size();
    for (Waiter waiter : state.waiters().endedWith(given.hasEnded())) {
      leaveLine(waiter, LeaveCause.LEASE_ENDED);
    }
    for (Holder holder : state.holders()) {
      if (hasEnded(holder.life())) {
        end(holder, Ending.LEASE_ENDED);
      }
    }
    swept = events.size() - asked;
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
    boolean waits = state.position(request.id()) > 0;
    if (acquire.repeated() && !waits && !isKept(acquire, outcome)) {
      keep(
          request.id(),
          outcome instanceof Outcome.Acquired acquired
              ? new Settled.Granted(request.content(), acquired.token(), acquired.life())
              : new Settled.NotGranted(request.content(), LeaveCause.REFUSED, 0));
    }
    return outcome;
  }

  private Outcome decided(LockCommand.Acquire acquire) {
    letGoOfTheDead();
    Optional<Outcome> earlier = earlier().of(acquire);
    if (earlier.isPresent()) {
      return earlier.get();
    } else if (hasEnded(acquire.life())) {
      return refused(new Refusal.LeaseGone(acquire.life().lease().orElseThrow()));
    }
    Holder holder = state.holder().orElse(null);
    if (holder == null) {
      return stateFull().or(() -> full(acquire.life())).orElseGet(() -> grant(acquire));
    } else if (holder.id().equals(acquire.holder())) {
      return acquire.reenter()
          ? reenter(acquire, holder)
          : Outcome.Acquired.of(holder, Manner.AT_ONCE);
    }
    return acquire.patience().waits() ? queue(acquire) : refused(new Refusal.Held(holder));
  }

  private Outcome grant(LockCommand.Acquire acquire) {
    requireRoom(acquire.request().id());
    Holder holder =
        new Holder(
            acquire.holder(), acquire.request(), token(), acquire.life(), 1, acquire.metadata());
    happened(new LockEvent.Granted(holder));
    settle(
        holder.request().id(),
        new Settled.Granted(holder.request().content(), holder.token(), holder.life()));
    return Outcome.Acquired.of(holder, Manner.AT_ONCE);
  }

  private Outcome reenter(LockCommand.Acquire acquire, Holder holder) {
    if (holder.count() == Holder.MAX_COUNT) {
      return refused(new Refusal.CountFull(Holder.MAX_COUNT));
    }
    Optional<Outcome> full = stateFull();
    if (full.isPresent()) {
      return full.get();
    }
    requireRoom(acquire.request().id());
    happened(new LockEvent.Reentered(holder.token(), holder.count() + 1));
    settleForCopies(
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
    int position = state.waiters().size() + 1;
    if (position > maxWaiters || isTooMuchToKeep(waiter)) {
      return refused(new Refusal.QueueFull(position - 1));
    }
    Optional<Outcome> full = stateFull().or(() -> full(acquire.life()));
    if (full.isPresent()) {
      return full.get();
    }
    requireRoom(acquire.request().id());
    happened(new LockEvent.Queued(waiter));
    return new Outcome.Waiting(acquire.request().id(), position);
  }

  private boolean isTooMuchToKeep(Waiter waiter) {
    Line line = state.waiters();
    return line.metadataBytes() + waiter.metadata().size() > LockMachine.MAX_METADATA_IN_LINE
        || line.bytes() + waiter.bytes() > LockMachine.MAX_LINE_BYTES;
  }

  @Override
  public Outcome release(LockCommand.Release release) {
    letGoOfTheDead();
    Request request = release.request();
    Optional<Outcome> earlier = earlier().of(request, Settled.Released.class);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    Holder holder = known(release.token()).orElse(null);
    if (holder == null) {
      return notHolder(release.token());
    }
    requireRoom(request.id());
    int count = letGo(holder, release.all(), request.id());
    Settled released = new Settled.Released(request.content(), holder.token(), count);
    if (count > 0) { // else the token tells
      settleForCopies(request.id(), released);
    } else {
      settle(request.id(), released);
    }
    return new Outcome.Released(holder.token(), count, /* repeated= */ false);
  }

  /** Who holds by this token. Whoever was granted it just now is not meant: nobody knows of it. */
  private Optional<Holder> known(FencingToken token) {
    return state.holder(token).filter(before.holders()::contains);
  }

  /** Takes one from the count, or ends the grant. Answers what remains of the count. */
  private int letGo(Holder holder, boolean all, RequestId request) {
    if (all || holder.count() == 1) {
      end(holder, Ending.RELEASED);
      return 0;
    }
    if (earlier().isKept(request)) {
      requireReserve(); // its outcome is kept, and nothing goes for it
    }
    happened(new LockEvent.SteppedOut(holder.token(), holder.count() - 1));
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
      happened(new LockEvent.Aged(holder.token(), age.aged()));
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
    Optional<Settled> earlier = earlier().settled(cancelling);
    if (earlier.isPresent()) { // else it would take one more from the count each time
      return new Outcome.Cancelled(/* dropped= */ false, released(earlier.get()));
    }
    Optional<Settled> settled = earlier().settled(cancel.request());
    Optional<FencingToken> granted =
        earlier()
            .holder(cancel.request())
            .map(Holder::token)
            .or(
                () ->
                    settled.flatMap(
                        known ->
                            known instanceof Settled.Granted given
                                ? Optional.of(given.token())
                                : Optional.empty()));
    Optional<Holder> holder = granted.flatMap(token -> state.holder(token));
    if (holder.isPresent()) {
      FencingToken token = holder.get().token();
      int count = letGo(holder.get(), /* all= */ false, cancelling);
      if (count > 0) { // else the token tells
        requireRoom(cancelling);
        settleForCopies(cancelling, new Settled.Released(Content.ANY, token, count));
      } else if (settled.isEmpty() && !cancel.request().isRepeatable()) {
        settleForCopies(
            cancel.request(), new Settled.NotGranted(Content.ANY, LeaveCause.CANCELLED, 0));
      }
      return new Outcome.Cancelled(/* dropped= */ false, token);
    }
    if (settled.isEmpty() && granted.isEmpty()) {
      keep(cancel.request(), new Settled.NotGranted(Content.ANY, LeaveCause.CANCELLED, 0));
    }
    return new Outcome.Cancelled(/* dropped= */ false, null);
  }

  /** Keeps an outcome that changed nothing, of any kind of request that can have one. */
  private void keep(RequestId request, Settled settled) {
    if (!earlier().isKnown(request)) {
      return;
    }
    requireReserve();
    if (request.keptBy().isEmpty()) {
      requirePlace(request);
    }
    happened(new LockEvent.Barred(request));
    settlements.add(new Settlement(request, settled));
  }

  private static @Nullable FencingToken released(Settled cancelling) {
    return cancelling instanceof Settled.Released released ? released.token() : null;
  }

  @Override
  public Outcome force(LockCommand.Force force) {
    letGoOfTheDead();
    Request request = force.request();
    Optional<Outcome> earlier = earlier().of(request, Settled.Forced.class);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    Holder holder = state.holder().flatMap(held -> known(held.token())).orElse(null);
    FencingToken only = force.only().orElse(null);
    if (only != null && (holder == null || !holder.token().equals(only))) {
      return notHolder(only);
    } else if (holder == null) {
      return new Outcome.Forced(List.of(), /* repeated= */ false);
    }
    requireRoom(request.id());
    List<FencingToken> taken = List.of(holder.token());
    end(holder, Ending.forced(force.reason()));
    settleForCopies(request.id(), new Settled.Forced(request.content(), taken));
    return new Outcome.Forced(taken, /* repeated= */ false);
  }

  @Override
  public Outcome sweep(LockCommand.Sweep sweep) {
    letGoOfTheDead();
    return new Outcome.Swept();
  }

  /** Ends a grant: the lock is free, or with the first in line. */
  private void end(Holder holder, Ending ending) {
    if (state.waiters().isEmpty()) {
      happened(new LockEvent.Freed(holder.token(), ending));
      return;
    }
    Waiter first = state.waiters().get(0);
    Holder next = first.granted(token());
    happened(new LockEvent.HandedOver(holder.token(), ending, next));
    Settled granted = new Settled.Granted(first.request().content(), next.token(), next.life());
    settle(first.request().id(), granted);
    waited(first.request().id(), Outcome.Acquired.of(next, Manner.AFTER_WAITING));
  }

  private boolean leaveLine(RequestId request, LeaveCause cause) {
    int position = state.position(request);
    if (position > 0) {
      leaveLine(state.waiters().get(position - 1), cause);
    }
    return position > 0;
  }

  private void leaveLine(Waiter waiter, LeaveCause cause) {
    RequestId request = waiter.request().id();
    int position = state.position(request);
    Holder holder = state.holder().filter(h -> !hasEnded(h.life())).orElse(null);
    happened(new LockEvent.Left(request, cause));
    Settled left = new Settled.NotGranted(waiter.request().content(), cause, position);
    if (cause == LeaveCause.CANCELLED) { // who cancels it asks for nothing more
      settleForCopies(request, left);
    } else {
      settle(request, left);
    }
    Refusal why = new Refusal.LeftLine(request, cause, position, holder, /* repeated= */ false);
    waited(request, refused(why));
  }

  /** The waiting of a request is over. Of one without an id, its node asks what is kept. */
  private void waited(RequestId request, Outcome outcome) {
    boolean kept = earlier().settled(request).isPresent() || !earlier().isKnown(request);
    notices.add(new Notice(request, outcome, kept));
  }

  private void happened(LockEvent event) {
    events.add(event);
    state = state.apply(event);
  }

  /** The refusal of whoever asks for more once all that is kept has reached its bound. */
  private Optional<Outcome> stateFull() {
    return given.limits().state().stream()
        .mapToObj(max -> refused(new Refusal.LimitReached(Refusal.Limit.STATE, max)))
        .findFirst();
  }

  private void requireReserve() {
    given
        .limits()
        .reserve()
        .ifPresent(
            max -> {
              throw new Stopped(new Refusal.LimitReached(Refusal.Limit.STATE, max));
            });
  }

  /* Only for who asks now: what others came to is kept, whoever has how much of that. */
  private void requireRoom(RequestId request) {
    if (request.isRepeatable() && request.keptBy().isEmpty()) {
      requirePlace(request);
    }
  }

  private void requirePlace(RequestId request) {
    given
        .limits()
        .requestIds(request)
        .ifPresent(
            max -> {
              throw new Stopped(new Refusal.LimitReached(Refusal.Limit.REQUEST_IDS, max));
            });
  }

  /** The refusal of one more lock that hangs on a lease, if it has as many as it may. */
  private Optional<Outcome> full(Life life) {
    return life.lease()
        .filter(lease -> !hangsOn(lease))
        .flatMap(lease -> given.limits().keysOn(lease).stream().boxed().findFirst())
        .map(max -> refused(new Refusal.LimitReached(Refusal.Limit.KEYS_ON_LEASE, max)));
  }

  private boolean hangsOn(LeaseLife lease) {
    return state.holders().stream().anyMatch(holder -> holder.life().isOn(lease))
        || state.waiters().hangsOn(lease);
  }

  private void settle(RequestId request, Settled settled) {
    if (earlier().isKept(request)) {
      settlements.add(new Settlement(request, settled));
    }
  }

  /**
   * Keeps the outcome of what must not be done twice, though its client cannot repeat it: its node
   * may have. Where there is no room, that is done without.
   */
  private boolean settleForCopies(RequestId request, Settled settled) {
    boolean keeps =
        earlier().isKnown(request)
            && (request.isRepeatable()
                || (given.limits().requestIds(request).isEmpty()
                    && given.limits().reserve().isEmpty()));
    if (keeps) {
      settlements.add(new Settlement(request, settled));
    }
    return keeps;
  }

  private FencingToken token() {
    FencingToken token = given.token();
    if (token == null) {
      throw new Stopped(new Refusal.NoToken());
    }
    return token;
  }

  private boolean hasEnded(Life life) {
    return LockMachine.hasEnded(life, given.hasEnded());
  }

  private Outcome notHolder(FencingToken token) {
    @Nullable Holder holder = state.holder().orElse(null);
    return refused(new Refusal.NotHolder(token, holder));
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }
}
