package io.holdfast.entity;

import io.holdfast.config.LockSettings;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.keeper.DeadlineKeeper;
import io.holdfast.keeper.DeadlineKeepers;
import io.holdfast.keeper.RenewalLookup;
import io.holdfast.keeper.WaitingCallers;
import io.holdfast.lock.Decision;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.rules.Batch;
import io.holdfast.lock.rules.DecisionContext;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LeaseMessage;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logic of one lock's actor. It passes batches of commands to the {@link LockMachine}, returns
 * the write to persist, answers after that, and tells its shard's keeper. It has no lock rules.
 */
public final class LockLogic implements EntityLogic<LockState> {

  private static final Logger log = LoggerFactory.getLogger(LockLogic.class);

  /**
   * The parts of a lock's actor.
   *
   * @param owned the only ownership under which the actor writes
   * @param keeper the keeper of the shard under this ownership
   * @param store the journal of the node
   */
  public record Terms(
      LockKey key,
      OwnedShard owned,
      DeadlineKeeper keeper,
      JournalStore store,
      LockMachine machine,
      LockSettings settings) {}

  /** A command, with its message; null if it is a notice of this node. */
  private record Asked(LockCommand command, LockMessage.@Nullable Handle by) {}

  /**
   * A decided batch.
   *
   * @param ends the number of lost leases that the keeper had counted before
   * @param measured true if the keeper has measured the age of a grant for it
   * @param history the outcomes by which it was decided
   */
  private record Decided(
      List<Asked> asked, Batch batch, long ends, boolean measured, RequestHistory history) {}

  /** An answer that waits for a confirmation. */
  private record Unconfirmed(LockMessage.Handle asked, Decision decision) {}

  private final Terms terms;
  private final CommandBatcher batcher;
  private final Runnable whenForgotten;
  private final RequestScope scope;
  private final Confirmation confirmation;
  private final EndedWaits endedWaits = new EndedWaits();

  /** About how many bytes of events follow the last state in the journal. */
  private long unsaved = LockWrite.UNKNOWN;

  /**
   * Creates the logic of a lock before its recovery.
   *
   * @param batcher the source of the messages
   * @param whenForgotten sends {@link ShardMessage.Lifecycle#GONE} to the actor
   */
  public LockLogic(Terms terms, CommandBatcher batcher, Runnable whenForgotten) {
    this.terms = terms;
    this.batcher = batcher;
    this.whenForgotten = whenForgotten;
    this.confirmation = new Confirmation(terms.store(), terms.owned());
    this.scope = RequestScope.of(terms.owned().shard(), EntityIds.of(terms.key()));
  }

  @Override
  public LockState empty() {
    return LockState.FREE;
  }

  @Override
  public void recovered(LockState state) {
    boolean hasOrphans = DeadlineKeepers.hasOrphans(terms.store().version(), state);
    terms.keeper().recovered(terms.key(), state, terms.owned().doubt(), hasOrphans);
    terms.keeper().waitingCallers.recovered(terms.key(), state);
    batcher.open();
  }

  @Override
  public Reaction<LockState> on(LockState state, long written, ShardMessage message) {
    if (message instanceof LockMessage.CommandBatch all) {
      return run(state, all.commands());
    } else if (message instanceof LockMessage command) {
      return run(state, List.of(command));
    } else if (message instanceof ShardMessage.Lifecycle lifecycle) {
      return switch (lifecycle) {
        case STOP -> onStop(state, written);
        case GONE -> Reaction.stop();
        case NEXT, WAKE, OVERDUE -> Reaction.none();
      };
    } else if (message instanceof LeaseMessage) {
      throw new IllegalArgumentException("not a message to a lock: [" + message + "]");
    }
    throw new AssertionError(message);
  }

  private Reaction<LockState> run(LockState state, List<LockMessage> messages) {
    Decided decided = decide(state, messages);
    if (decided.batch.events().isEmpty()) {
      if (terms.owned().isSure()) { // else the caller asks again
        answer(decided, at -> decided.history.revision());
      }
      return Reaction.none();
    }
    // The keepalive counts from now, however long the write takes. It is checked again after that.
    decided
        .batch
        .decisions()
        .forEach(
            decision -> Renewal.impliedBy(decision, terms.key()).ifPresent(terms.keeper()::renew));
    LockWrite write = write(decided.batch, decided.history);
    return Reaction.persist(
        write.event(),
        () -> {
          tellKeeper(state, decided.batch);
          answer(decided, write::revision);
          batcher.open();
        });
  }

  /** Tells the keeper the change of a batch. A request that left and queued again waits anew. */
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

  /** Closes the batcher until the batch is written. */
  private LockWrite write(Batch batch, RequestHistory history) {
    batcher.close();
    LockWrite write =
        new LockWrite(terms.owned(), batch, unsaved, history, terms.keeper().forgetBefore());
    unsaved = write.unsaved();
    return write;
  }

  private Decided decide(LockState state, List<LockMessage> messages) {
    // Counted before the decision: what depends on leases that end later is removed later.
    long ends = terms.keeper().ends();
    JournalVersion version = terms.store().version();
    RequestHistory history = new RequestHistory(version, scope);
    List<LeaseLife> ended = endedWaits.leases(state.waiters(), version);
    List<Asked> asked = new ArrayList<>(messages.size());
    boolean measured = false;
    for (LockMessage message : endsOfWaitsFirst(messages)) {
      Optional<Asked> command = admit(message, history);
      command.ifPresent(asked::add);
      measured |= command.isPresent() && message instanceof LockMessage.DueAge;
    }
    DecisionContext context =
        new DecisionContext(
            terms.owned()::nextToken,
            history.revision(),
            history::hasEnded,
            queue -> queue.on(ended),
            history::recorded,
            history::isForgotten,
            new AppliedLimits(version, terms.owned().shard(), history, terms.settings().limits()));
    List<LockCommand> commands = asked.stream().map(Asked::command).toList();
    Batch batch = terms.machine().decide(state, commands, context);
    endedWaits.decided(batch, ended, version);
    return new Decided(asked, batch, ends, measured, history);
  }

  /**
   * Puts ends of waits first: they belong to current waits, not to those that begin in this batch.
   */
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

  /** Returns the command of a message, unless the message is out of date. */
  private Optional<Asked> admit(LockMessage message, RequestHistory history) {
    if (message instanceof LockMessage.Handle handle) {
      handle.command().id().ifPresent(id -> history.lowestOpen(id, handle.lowestOpen()));
      return Optional.of(new Asked(handle.command(), handle));
    } else if (message instanceof LockMessage.Due due) {
      if (!due.epoch().equals(terms.owned().epoch())) {
        // The shard has a new owner since, whose keeper has set new deadlines.
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
    throw new IllegalArgumentException("not a command: [" + message + "]");
  }

  /**
   * Answers all commands of a batch, and notifies waiters.
   *
   * @param revision the revision of the lock after a number of events
   */
  private void answer(Decided decided, IntFunction<Revision> revision) {
    Batch batch = decided.batch;
    tellKeeper(decided); // first, since an answered caller may ask the keeper
    List<Unconfirmed> unconfirmed = new ArrayList<>(0);
    int notified = 0;
    for (int i = 0; i < decided.asked.size(); i++) {
      LockMessage.Handle asked = decided.asked.get(i).by;
      if (asked == null) {
        continue;
      }
      Decision decision = batch.decisions().get(i);
      notified = notify(batch.notices(), notified, decision.at() - 1, revision);
      boolean waits = decision.outcome() instanceof Outcome.Waiting;
      if (decision.outcome() instanceof Outcome.Waiting wait) {
        noteWaiting(asked, wait);
      }
      // I5: a grant that is ending, or ended by this very batch, has no answer. The caller asks
      // again.
      boolean counts = Renewal.impliedBy(decision, terms.key()).map(this::renew).orElse(true);
      if (counts && (!waits || asked.tellsPlace())) {
        if (batch.events().isEmpty() && !waits) {
          unconfirmed.add(new Unconfirmed(asked, decision));
        } else {
          tell(asked, decision, revision.apply(decision.at()));
        }
      }
    }
    var unused = notify(batch.notices(), notified, batch.events().size(), revision);
    if (!unconfirmed.isEmpty()) { // a write needs no confirmation: its commit is one
      Revision before = decided.history.revision();
      confirmation.then(version -> confirmed(unconfirmed, before, version));
    }
  }

  /**
   * Notifies the waiters whose wait has ended, in order, before the same request may wait again.
   *
   * @param from the first notice to send
   * @param upTo the number of events up to which notices are sent now
   * @return the number of notices that are sent by now
   */
  private int notify(
      List<Batch.Notice> notices, int from, int upTo, IntFunction<Revision> revision) {
    int next = from;
    for (; next < notices.size() && notices.get(next).at() <= upTo; next++) {
      Batch.Notice notice = notices.get(next);
      WaitingCallers.Caller caller =
          terms.keeper().waitingCallers.remove(terms.key(), notice.request());
      if (caller != null) {
        Revision at = revision.apply(notice.at());
        caller.replyTo().tell(new LockAnswer(caller.number(), at, notice.outcome(), notice.kept()));
      }
    }
    return next;
  }

  private void tellKeeper(Decided decided) {
    for (int i = 0; i < decided.asked.size(); i++) {
      LockCommand command = decided.asked.get(i).command;
      if (decided.batch.decisions().get(i).outcome() instanceof Outcome.Refused refused) {
        removeMissing(command, refused.refusal(), decided, i);
      } else if (command instanceof LockCommand.RemoveOrphans) {
        terms.keeper().orphansRemoved(terms.key(), decided.ends);
      }
    }
    if (decided.measured) {
      terms.keeper().aged(terms.key(), decided.batch.after());
    }
  }

  /** Removes a deadline whose target does not exist any more. */
  private void removeMissing(LockCommand command, Refusal refusal, Decided decided, int i) {
    boolean isDue = decided.asked.get(i).by == null;
    if (isDue && refusal instanceof Refusal.NotHolder not) {
      terms.keeper().ended(terms.key(), not.token());
    } else if (isDue
        && command instanceof LockCommand.Leave leave
        && isNotWaiting(refusal)
        && decided.batch.after().position(leave.request()) == 0) { // nor in a new wait
      terms.keeper().left(terms.key(), leave.request());
    }
  }

  /** Tests one class: an instanceof ladder over the refusals would have to name them all. */
  private static boolean isNotWaiting(Refusal refusal) {
    return refusal instanceof Refusal.NotWaiting;
  }

  private void noteWaiting(LockMessage.Handle asked, Outcome.Waiting wait) {
    WaitingCallers.Caller caller = new WaitingCallers.Caller(asked.number(), asked.replyTo());
    terms.keeper().waitingCallers.put(terms.key(), wait.request(), caller);
    if (asked.command() instanceof LockCommand.Acquire acquire) {
      terms.keeper().waitsAtMost(terms.key(), wait.request(), acquire.waitTimeout());
    }
  }

  private static void tell(LockMessage.Handle asked, Decision decision, Revision revision) {
    asked
        .replyTo()
        .tell(new LockAnswer(asked.number(), revision, decision.outcome(), decision.kept()));
  }

  /** Sends confirmed answers. A grant is confirmed only if it still stands. */
  private void confirmed(List<Unconfirmed> replies, Revision revision, JournalVersion version) {
    for (Unconfirmed reply : replies) {
      boolean hasEnded =
          reply.decision.outcome() instanceof Outcome.Acquired acquired
              && acquired.isHeld()
              && !RenewalLookup.isHeld(version, scope.shard(), terms.key(), acquired.token());
      if (!hasEnded) {
        tell(reply.asked, reply.decision, revision);
      }
    }
  }

  private boolean renew(Renewal renewal) {
    boolean counts = terms.keeper().renew(renewal).filter(Renewal.Answer::alive).isPresent();
    if (!counts) {
      // It may be due, and its end in flight: the end is answered after that.
      log.debug("[{}] is not renewed: it is due, or its end is in flight", renewal);
    }
    return counts;
  }

  /** Stops the actor. A free lock is deleted from the journal first. */
  private Reaction<LockState> onStop(LockState state, long written) {
    if (!state.isFree() || written == 0) {
      return Reaction.stop();
    }
    Batch last = terms.machine().forget(state);
    LockWrite write = write(last, new RequestHistory(terms.store().version(), scope));
    return Reaction.persist(write.event(), whenForgotten);
  }
}
