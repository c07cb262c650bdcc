package io.holdfast.entity;

import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.lock.Batch;
import io.holdfast.lock.Decision;
import io.holdfast.lock.Given;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.LockMachine;
import io.holdfast.lock.LockState;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of one lock's actor: it has what came together decided by the {@link LockMachine}, says
 * what to persist, answers then, and tells the keeper of its shard what to keep alive. It has no
 * lock rules.
 */
final class LockRoutine implements Routine<LockState> {

  private static final Logger log = LoggerFactory.getLogger(LockRoutine.class);

  /**
   * The parts of a lock's actor.
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

  /** A command, and who asked for it; nobody did if it comes from this node. */
  private record Asked(LockCommand command, LockMessage.@Nullable Handle by) {}

  /**
   * Commands that were decided together.
   *
   * @param ends how many ends of leases the keeper had heard of before
   * @param measured whether the keeper has measured the age of a grant for it
   * @param past what it was decided by
   */
  private record Decided(
      List<Asked> asked, Batch batch, long ends, boolean measured, PastRequests past) {}

  /** An answer that is told once the journal confirms it. */
  private record Unconfirmed(LockMessage.Handle asked, Decision decision) {}

  private final Terms terms;
  private final Turnstile turnstile;
  private final Runnable whenForgotten;
  private final RequestScope scope;
  private final Confirmation confirmation;

  /**
   * Of a lock that has not recovered yet.
   *
   * @param turnstile through which the messages come
   * @param whenForgotten sends {@link ShardMessage.Lifecycle#GONE} to the actor
   */
  LockRoutine(Terms terms, Turnstile turnstile, Runnable whenForgotten) {
    this.terms = terms;
    this.turnstile = turnstile;
    this.whenForgotten = whenForgotten;
    this.confirmation = new Confirmation(terms.store(), terms.owned());
    this.scope = RequestScope.of(terms.owned().shard(), Ids.of(terms.key()));
  }

  @Override
  public LockState empty() {
    return LockState.FREE;
  }

  @Override
  public void recovered(LockState state) {
    boolean hasOrphans = Keepers.hasOrphans(terms.store().version(), state);
    terms.keeper().recovered(terms.key(), state, terms.owned().doubt(), hasOrphans);
    terms.keeper().askers.recovered(terms.key(), state);
    turnstile.open();
  }

  @Override
  public Reaction<LockState> on(LockState state, long written, ShardMessage message) {
    if (message instanceof LockMessage.Together together) {
      return run(state, written, together.commands());
    } else if (message instanceof LockMessage command) {
      return run(state, written, List.of(command));
    } else if (message instanceof ShardMessage.Lifecycle lifecycle) {
      return switch (lifecycle) {
        case STOP -> onStop(state, written);
        case GONE -> Reaction.stop();
        case NEXT, WAKE, OVERDUE -> Reaction.none();
      };
    } else if (message instanceof LeaseMessage) {
      throw new IllegalArgumentException("not for a lock: [" + message + "]");
    }
    throw new AssertionError(message);
  }

  private Reaction<LockState> run(LockState state, long written, List<LockMessage> messages) {
    Decided together = decide(state, messages);
    if (together.batch.events().isEmpty()) {
      if (terms.owned().isSure()) { // else who asked asks again
        answer(together, at -> together.past.revision());
      }
      return Reaction.none();
    }
    // It came now, however long it takes to write. Whether it still counts then is asked again.
    together.batch.decisions().forEach(decision -> sign(decision).ifPresent(terms.keeper()::renew));
    LockWrite write = write(together.batch, written, together.past);
    return Reaction.persist(
        write.event(),
        () -> {
          tellKeeper(state, together.batch);
          answer(together, write::revision);
          turnstile.open();
        });
  }

  /** A request that has left the line, and is in it again, begins a new wait. */
  private void tellKeeper(LockState before, Batch batch) {
    LockState from = before;
    for (int i = 1; i < batch.events().size(); i++) {
      LockState then = batch.states().get(i - 1);
      if (batch.events().get(i) instanceof LockEvent.Queued queued
          && from.position(queued.waiter().request().id()) > 0) {
        terms.keeper().changed(terms.key(), from, then, Duration.ZERO);
        from = then;
      }
    }
    terms.keeper().changed(terms.key(), from, batch.after(), Duration.ZERO);
  }

  /** Nobody comes in until it is written. */
  private LockWrite write(Batch batch, long written, PastRequests past) {
    turnstile.close();
    return new LockWrite(terms.owned(), batch, written + 1, past, terms.keeper().forgetBefore());
  }

  private Decided decide(LockState state, List<LockMessage> messages) {
    // Before it is looked who lives: what ends later is swept later.
    long ends = terms.keeper().ends();
    JournalVersion version = terms.store().version();
    PastRequests past = new PastRequests(version, scope);
    List<Asked> asked = new ArrayList<>(messages.size());
    boolean measured = false;
    for (LockMessage message : endsOfWaitsFirst(messages)) {
      Optional<Asked> command = admit(message, past);
      command.ifPresent(asked::add);
      measured |= command.isPresent() && message instanceof LockMessage.DueAge;
    }
    Given given =
        new Given(
            terms.owned()::nextToken,
            past.revision(),
            past::hasEnded,
            past::settled,
            past::isForgotten,
            new AppliedLimits(version, terms.owned().shard(), past, terms.settings().limits()));
    List<LockCommand> commands = asked.stream().map(Asked::command).toList();
    return new Decided(asked, terms.machine().decide(state, commands, given), ends, measured, past);
  }

  /** The keeper tells of waits that are in line now, not of those that begin with the others. */
  private static List<LockMessage> endsOfWaitsFirst(List<LockMessage> messages) {
    return messages.size() == 1
        ? messages
        : messages.stream().sorted(Comparator.comparing(it -> leave(it).isEmpty())).toList();
  }

  private static Optional<LockCommand.Leave> leave(LockMessage message) {
    return message instanceof LockMessage.Due due
            && due.command() instanceof LockCommand.Leave leave
        ? Optional.of(leave)
        : Optional.empty();
  }

  /** The command of a message, if that still means anything. */
  private Optional<Asked> admit(LockMessage message, PastRequests past) {
    if (message instanceof LockMessage.Handle handle) {
      handle.command().id().ifPresent(id -> past.lowestOpen(id, handle.lowestOpen()));
      return Optional.of(new Asked(handle.command(), handle));
    } else if (message instanceof LockMessage.Due due) {
      if (due.epoch() != terms.owned().epoch()) {
        // It was on its way while the shard went to a new owner, whose keeper gave new time.
        return Optional.empty();
      } else if (leave(due).filter(wait -> !terms.keeper().isDue(terms.key(), wait)).isPresent()) {
        return Optional.empty(); // that wait has ended, and the same request may wait again
      }
      return Optional.of(new Asked(due.command(), null));
    } else if (message instanceof LockMessage.DueAge due) {
      return terms
          .keeper()
          .measure(terms.key(), due.token())
          .map(aged -> new Asked(new LockCommand.Age(due.token(), aged), null));
    }
    throw new IllegalArgumentException("no command: [" + message + "]");
  }

  /** The sign of life that a decision is, if it is one of anything that was there before. */
  private Optional<Renewal> sign(Decision decision) {
    return decision.isSign()
        ? waiter(decision.outcome()).or(() -> grant(decision.outcome()))
        : Optional.empty();
  }

  private Optional<Renewal> waiter(Outcome outcome) {
    return outcome instanceof Outcome.Waiting waiting
        ? Optional.of(new Renewal.OfRequest(terms.key(), waiting.request()))
        : Optional.empty();
  }

  private Optional<Renewal> grant(Outcome outcome) {
    return outcome instanceof Outcome.Acquired acquired
        ? Optional.of(new Renewal.OfGrant(terms.key(), acquired.token()))
        : Optional.empty();
  }

  /**
   * Tells everyone what came of it.
   *
   * @param revision of the lock after so many of the events
   */
  private void answer(Decided together, IntToLongFunction revision) {
    Batch batch = together.batch;
    tellKeeper(together); // it first: who is answered may ask it
    List<Unconfirmed> unconfirmed = new ArrayList<>(0);
    int told = 0; // of those whose wait has ended
    for (int i = 0; i < together.asked.size(); i++) {
      LockMessage.Handle asked = together.asked.get(i).by;
      if (asked == null) {
        continue;
      }
      Decision decision = batch.decisions().get(i);
      told = notify(batch.notices(), told, decision.at() - 1, revision);
      boolean waits = decision.outcome() instanceof Outcome.Waiting;
      if (decision.outcome() instanceof Outcome.Waiting wait) {
        waits(asked, wait);
      }
      // I5: its end is on its way, or came with this very batch. Who asks again hears of it.
      boolean counts = sign(decision).map(this::renew).orElse(true);
      if (counts && (!waits || asked.tellsPlace())) {
        if (batch.events().isEmpty() && !waits) {
          unconfirmed.add(new Unconfirmed(asked, decision));
        } else {
          tell(asked, decision, revision.applyAsLong(decision.at()));
        }
      }
    }
    var unused = notify(batch.notices(), told, batch.events().size(), revision);
    if (!unconfirmed.isEmpty()) { // what was written is confirmed, with all that it was decided by
      long before = together.past.revision();
      confirmation.then(version -> confirmed(unconfirmed, before, version));
    }
  }

  /**
   * Tells those whose waits have ended, in turn: one who waits again is told by the next asker.
   *
   * @param from the notices before this one were told
   * @param upTo those of so many events are told now
   * @return how many were told then
   */
  private int notify(List<Batch.Notice> notices, int from, int upTo, IntToLongFunction revision) {
    int next = from;
    for (; next < notices.size() && notices.get(next).at() <= upTo; next++) {
      Batch.Notice notice = notices.get(next);
      Askers.Asker asker = terms.keeper().askers.remove(terms.key(), notice.request());
      if (asker != null) {
        long at = revision.applyAsLong(notice.at());
        asker.replyTo().tell(new LockAnswer(asker.number(), at, notice.outcome(), notice.kept()));
      }
    }
    return next;
  }

  private void tellKeeper(Decided together) {
    for (int i = 0; i < together.asked.size(); i++) {
      LockCommand command = together.asked.get(i).command;
      if (together.batch.decisions().get(i).outcome() instanceof Outcome.Refused refused) {
        isNotThere(command, refused.refusal(), together, i);
      } else if (command instanceof LockCommand.Sweep) { // nothing hangs on the dead any more
        terms.keeper().swept(terms.key(), together.ends);
      }
    }
    if (together.measured) {
      terms.keeper().aged(terms.key(), together.batch.after());
    }
  }

  /** The keeper must not repeat what it said of what is not there any more. */
  private void isNotThere(LockCommand command, Refusal refusal, Decided together, int i) {
    boolean isDue = together.asked.get(i).by == null;
    if (isDue && refusal instanceof Refusal.NotHolder not) {
      terms.keeper().ended(terms.key(), not.token());
    } else if (isDue
        && command instanceof LockCommand.Leave leave
        && isNotWaiting(refusal)
        && together.batch.after().position(leave.request()) == 0) { // nor in a new wait
      terms.keeper().left(terms.key(), leave.request());
    }
  }

  /** Asked alone: a ladder over the refusals would have to name them all. */
  private static boolean isNotWaiting(Refusal refusal) {
    return refusal instanceof Refusal.NotWaiting;
  }

  private void waits(LockMessage.Handle asked, Outcome.Waiting wait) {
    Askers.Asker asker = new Askers.Asker(asked.number(), asked.replyTo());
    terms.keeper().askers.put(terms.key(), wait.request(), asker);
    if (asked.command() instanceof LockCommand.Acquire acquire) {
      terms.keeper().waitsAtMost(terms.key(), wait.request(), acquire.patience());
    }
  }

  private static void tell(LockMessage.Handle asked, Decision decision, long revision) {
    asked
        .replyTo()
        .tell(new LockAnswer(asked.number(), revision, decision.outcome(), decision.kept()));
  }

  /** Tells what was so, and that a grant stands only if it still does. */
  private void confirmed(List<Unconfirmed> replies, long revision, JournalVersion version) {
    for (Unconfirmed reply : replies) {
      boolean hasEnded =
          reply.decision.outcome() instanceof Outcome.Acquired acquired
              && acquired.isHeld()
              && !Applied.isHeld(version, scope.shard(), terms.key(), acquired.token());
      if (!hasEnded) {
        tell(reply.asked, reply.decision, revision);
      }
    }
  }

  private boolean renew(Renewal renewal) {
    boolean counts = terms.keeper().renew(renewal).filter(Renewal.Answer::alive).isPresent();
    if (!counts) {
      // It may be due, and its end on its way: that is decided next, and then told.
      log.debug("no sign of life counts for [{}]", renewal);
    }
    return counts;
  }

  /** A free lock leaves nothing in the journal; a held one, only this actor ends. */
  private Reaction<LockState> onStop(LockState state, long written) {
    if (!state.isFree() || written == 0) {
      return Reaction.stop();
    }
    PastRequests past = new PastRequests(terms.store().version(), scope);
    LockWrite write = write(terms.machine().forget(state), written, past);
    return Reaction.persist(write.event(), whenForgotten);
  }
}
