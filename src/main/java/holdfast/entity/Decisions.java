package holdfast.entity;

import holdfast.coordination.OwnedShard;
import holdfast.journal.ChangeNote;
import holdfast.journal.Receipt;
import holdfast.journal.state.Answer;
import holdfast.journal.state.JournalVersion;
import holdfast.journal.state.Need;
import holdfast.lock.Decision;
import holdfast.lock.Decision.Settlement;
import holdfast.lock.FencingToken;
import holdfast.lock.Given;
import holdfast.lock.LeaseLife;
import holdfast.lock.Limits;
import holdfast.lock.LockCommand;
import holdfast.lock.LockEvent;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.Patience;
import holdfast.lock.Refusal;
import holdfast.lock.RequestId;
import holdfast.lock.Settled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The decisions of a lock about commands that came together, one after the other. */
final class Decisions {

  /**
   * The answer to one command.
   *
   * @param kept whether every copy of the command has this outcome
   * @param renewed what the command is a sign of life of, if of anything that was there before
   * @param place of the state that it speaks of
   */
  record Reply(
      LockMessage.Handle asked,
      Outcome outcome,
      boolean kept,
      Optional<Renewal> renewed,
      int place) {

    void tell(long revision) {
      asked.replyTo().tell(new LockAnswer(asked.number(), revision, outcome, kept));
    }

    /** How long the one who asked would wait from now on. */
    Optional<Patience> patience() {
      return asked.command() instanceof LockCommand.Acquire acquire
          ? Optional.of(acquire.patience())
          : Optional.empty();
    }
  }

  /** The answer to a request whose wait has ended. */
  record Told(RequestId request, Outcome outcome, boolean kept, int place) {}

  /** Takes something out of a keeper. */
  @FunctionalInterface
  interface Gone {
    void from(Keeper keeper);
  }

  private final LockMachine machine;
  private final OwnedShard owned;
  private final Keeper keeper;
  private final PastRequests past;
  private final List<LockEvent> events = new ArrayList<>(1);
  private final List<Reply> replies = new ArrayList<>(1);
  private final List<Told> notices = new ArrayList<>(0);
  private final List<Settlement> settlements = new ArrayList<>(1);
  private final List<Gone> gone = new ArrayList<>(0);
  private final Map<RequestId, Settled> settledNow = new HashMap<>(0);
  private final Limits limits;
  private LockState state;

  /** Of the last event so far that everyone may see, or -1: what is decided now speaks of that. */
  private int place = -1;

  private boolean swept;
  private boolean measured;

  /**
   * None yet.
   *
   * @param version of the journal: all of them see this one
   * @param state the lock before the first
   */
  Decisions(LockEntity.Terms terms, JournalVersion version, RequestScope scope, LockState state) {
    this.machine = terms.machine();
    this.owned = terms.owned();
    this.keeper = terms.keeper();
    this.past = new PastRequests(version, scope);
    this.state = state;
    this.limits =
        new AppliedLimits(
            version, terms.owned().shard(), past, terms.settings().limits(), this::settledNow);
  }

  private int settledNow(RequestId another) {
    int settled = 0;
    for (RequestId other : settledNow.keySet()) {
      if (other.keptBy().isEmpty() && other.client().equals(another.client())) {
        settled++;
      }
    }
    return settled;
  }

  void decide(LockMessage message) {
    if (message instanceof LockMessage.Handle handle) {
      handle.command().id().ifPresent(id -> past.lowestOpen(id, handle.lowestOpen()));
      LockState before = state;
      Decision decision = decide(handle.command());
      replies.add(
          new Reply(handle, decision.outcome(), decision.kept(), renewed(before, decision), place));
    } else if (message instanceof LockMessage.Due due) {
      if (due.epoch() != owned.epoch()) {
        return; // it was on its way while the shard went to a new owner, whose keeper gave new time
      }
      decideDue(due.command());
    } else if (message instanceof LockMessage.DueAge due) {
      keeper
          .measure(past.key(), due.token())
          .ifPresent(
              aged -> {
                measured = true;
                decideDue(new LockCommand.Age(due.token(), aged));
              });
    } else {
      throw new IllegalArgumentException("no command: [" + message + "]");
    }
  }

  private void decideDue(LockCommand command) {
    if (decide(command).outcome() instanceof Outcome.Refused refused) {
      isNotThere(command, refused.refusal());
    }
  }

  private Decision decide(LockCommand command) {
    Predicate<LeaseLife> hasEnded = past::hasEnded;
    FencingToken token =
        LockMachine.mayGrant(state, command, hasEnded) ? owned.nextToken().orElse(null) : null;
    Decision decision =
        machine.decide(
            state,
            command,
            new Given(token, past.revision(), hasEnded, this::settled, this::isForgotten, limits));
    Map<RequestId, Integer> left = new HashMap<>(0);
    for (LockEvent event : decision.events()) {
      if (ChangeNote.isOf(event)) {
        place = events.size();
      }
      events.add(event);
      state = state.apply(event);
      if (event instanceof LockEvent.Left out) { // others may follow: it speaks of what was then
        left.put(out.request(), place);
      }
    }
    for (Decision.Notice notice : decision.notices()) {
      int of = left.getOrDefault(notice.request(), place);
      notices.add(new Told(notice.request(), notice.outcome(), notice.kept(), of));
    }
    for (Settlement settlement : decision.settlements()) {
      settlements.add(settlement);
      settledNow.put(settlement.request(), settlement.settled());
    }
    swept |= command instanceof LockCommand.Sweep && !isRefused(decision);
    return decision;
  }

  private static boolean isRefused(Decision decision) {
    return decision.outcome() instanceof Outcome.Refused;
  }

  private Optional<Settled> settled(RequestId request) {
    Settled now = settledNow.get(request);
    return now == null ? past.settled(request) : Optional.of(now);
  }

  private boolean isForgotten(RequestId request) {
    return !settledNow.containsKey(request) && past.isForgotten(request);
  }

  /** To be told of what was there before is a renewal of it, and so is a reentry. */
  private Optional<Renewal> renewed(LockState before, Decision decision) {
    return waitsStill(before, decision.outcome()).or(() -> holdsStill(before, decision.outcome()));
  }

  private Optional<Renewal> waitsStill(LockState before, Outcome outcome) {
    return outcome instanceof Outcome.Waiting waiting && before.position(waiting.request()) > 0
        ? Optional.of(new Renewal.OfRequest(past.key(), waiting.request()))
        : Optional.empty();
  }

  private Optional<Renewal> holdsStill(LockState before, Outcome outcome) {
    return outcome instanceof Outcome.Acquired acquired
            && acquired.isHeld()
            && before.holder(acquired.token()).isPresent()
        ? Optional.of(new Renewal.OfGrant(past.key(), acquired.token()))
        : Optional.empty();
  }

  private void isNotThere(LockCommand due, Refusal refusal) {
    if (refusal instanceof Refusal.NotHolder not) {
      gone.add(keeper -> keeper.ended(past.key(), not.token()));
    } else if (isNotWaiting(refusal) && due instanceof LockCommand.Leave leave) {
      gone.add(keeper -> keeper.left(past.key(), leave.request()));
    }
  }

  /** Asked alone: a ladder over the refusals would have to name them all. */
  private static boolean isNotWaiting(Refusal refusal) {
    return refusal instanceof Refusal.NotWaiting;
  }

  /**
   * The revision of a state that an answer speaks of, and never a later one: who watches from there
   * on must not miss what has happened to it since.
   */
  long revision(int ofPlace, List<Receipt> receipts) {
    return ofPlace < 0
        ? revisionBefore()
        : receipts.get(ofPlace).applied().orElseThrow().revision();
  }

  List<LockEvent> events() {
    return events;
  }

  List<Reply> replies() {
    return replies;
  }

  /** The signs of life among the commands. */
  List<Renewal> renewals() {
    return replies.stream().flatMap(reply -> reply.renewed().stream()).toList();
  }

  List<Told> notices() {
    return notices;
  }

  /** The outcomes to keep with the events. */
  List<Answer> answers() {
    return past.answers(settlements);
  }

  /**
   * How much room the outcomes need. Most come with a grant or a place in line that goes; one of a
   * count that went down does not.
   */
  Need need() {
    return settlements.stream().anyMatch(Decisions::isBeside) ? Need.RESERVE : Need.NOTHING;
  }

  private static boolean isBeside(Settlement settlement) {
    return settlement.settled() instanceof Settled.Released released && released.count() > 0;
  }

  /** The newest revision that they can know of. */
  long revisionBefore() {
    return past.revision();
  }

  /** Notices of the keeper about what is not there any more: it must not repeat them. */
  List<Gone> gone() {
    return gone;
  }

  /** Whether the keeper has measured the age of a grant for them. */
  boolean hasMeasured() {
    return measured;
  }

  /** Whether nothing hangs on a lease that has ended any more. */
  boolean hasSwept() {
    return swept;
  }
}
