package holdfast.entity;

import akka.actor.typed.ActorRef;
import holdfast.journal.Receipt;
import holdfast.journal.state.JournalVersion;
import holdfast.journal.state.Need;
import holdfast.lock.LockEvent;
import holdfast.lock.LockMachine;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.RequestId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of one lock's actor: it has messages decided by the {@link LockMachine}, says what to
 * persist, answers then, and tells the keeper of its shard what to keep alive. It has no lock
 * rules. Belongs to one actor.
 */
final class LockRoutine {

  private static final Logger log = LoggerFactory.getLogger(LockRoutine.class);

  private record Asker(long number, ActorRef<LockAnswer> replyTo) {}

  private final LockEntity.Terms terms;
  private final Turnstile turnstile;
  private final Runnable whenForgotten;
  private final LongSupplier lastSequenceNr;
  private final FencedLockEvents events;
  private final RequestScope scope;
  private final Confirmation confirmation;

  /** The askers to tell when a request's wait ends. Bounded by the length of the line. */
  private final Map<RequestId, Asker> waiting = new HashMap<>();

  /**
   * Of a lock that has not recovered yet.
   *
   * @param turnstile through which the messages come
   * @param whenForgotten sends {@link ShardMessage.Lifecycle#GONE} to the actor
   * @param lastSequenceNr of the actor's newest event
   */
  LockRoutine(
      LockEntity.Terms terms,
      Turnstile turnstile,
      Runnable whenForgotten,
      LongSupplier lastSequenceNr) {
    this.terms = terms;
    this.turnstile = turnstile;
    this.whenForgotten = whenForgotten;
    this.lastSequenceNr = lastSequenceNr;
    this.events = new FencedLockEvents(terms.owned());
    this.confirmation = new Confirmation(terms.store(), terms.owned());
    this.scope = RequestScope.of(terms.owned().shard(), Ids.of(terms.key()));
  }

  /** The way of the events to the journal. */
  FencedLockEvents events() {
    return events;
  }

  /** The lock is this, after recovery. */
  void recovered(LockState state) {
    events.recovered(state);
    boolean hasOrphans = Keepers.hasOrphans(terms.store().version(), state);
    terms.keeper().recovered(terms.key(), state, terms.owned().doubt(), hasOrphans);
    turnstile.open();
  }

  /** What to do about a message. */
  Reaction<LockEvent, LockState> on(LockState state, ShardMessage message) {
    if (message instanceof LockMessage.Together together) {
      return run(state, together.commands());
    } else if (message instanceof LockMessage command) {
      return run(state, List.of(command));
    } else if (message instanceof ShardMessage.Lifecycle lifecycle) {
      return switch (lifecycle) {
        case STOP -> onStop(state);
        case GONE -> Reaction.stop();
        case NEXT, WAKE, OVERDUE -> Reaction.none();
      };
    } else if (message instanceof LeaseMessage) {
      throw new IllegalArgumentException("not for a lock: [" + message + "]");
    }
    throw new AssertionError(message);
  }

  /** Decides the commands one after the other, and persists what came of them at once. */
  private Reaction<LockEvent, LockState> run(LockState state, List<LockMessage> commands) {
    // Before it is looked who lives: what ends later is swept later.
    long ends = terms.keeper().ends();
    Decisions decisions = new Decisions(terms, terms.store().version(), scope, state);
    commands.forEach(decisions::decide);
    if (decisions.events().isEmpty()) {
      if (terms.owned().isSure()) { // else who asked asks again
        answer(decisions, state, List.of(), ends);
      }
      return Reaction.none();
    }
    turnstile.close();
    // It came now, however long it takes to write. Whether it still counts then is asked again.
    decisions.renewals().forEach(terms.keeper()::renew);
    List<Receipt> receipts =
        events.expect(
            decisions.events().size(),
            decisions.answers(),
            decisions.need(),
            terms.keeper().forgetBefore());
    return Reaction.persist(
        decisions.events(),
        after -> {
          keep(state, decisions.events());
          answer(decisions, after, receipts, ends);
          turnstile.open();
        });
  }

  private void answer(Decisions decisions, LockState state, List<Receipt> receipts, long ends) {
    if (decisions.hasSwept()) { // the keeper first: who is answered may ask it
      terms.keeper().swept(terms.key(), ends);
    }
    if (decisions.hasMeasured()) {
      terms.keeper().aged(terms.key(), state);
    }
    decisions.gone().forEach(gone -> gone.from(terms.keeper()));
    List<Decisions.Reply> unconfirmed = new ArrayList<>(0);
    for (Decisions.Reply reply : decisions.replies()) {
      if (reply.outcome() instanceof Outcome.Waiting wait) {
        waits(reply, wait);
      }
      // I5: its end is on its way, or came with this very batch. Who asks again hears of it.
      boolean counts = reply.renewed().map(renewal -> renew(state, renewal)).orElse(true);
      if (counts && isToTell(reply)) {
        if (decisions.events().isEmpty() && !(reply.outcome() instanceof Outcome.Waiting)) {
          unconfirmed.add(reply);
        } else {
          reply.tell(decisions.revision(reply.place(), receipts));
        }
      }
    }
    for (Decisions.Told told : decisions.notices()) {
      Asker asker = waiting.remove(told.request());
      if (asker != null) {
        long revision = decisions.revision(told.place(), receipts);
        asker.replyTo().tell(new LockAnswer(asker.number(), revision, told.outcome(), told.kept()));
      }
    }
    if (!unconfirmed.isEmpty()) { // what was written is confirmed, with all that it was decided by
      confirmation.then(version -> confirmed(unconfirmed, decisions.revisionBefore(), version));
    }
  }

  /** A repeated request takes the place of its earlier sending, whose asker has given up. */
  private void waits(Decisions.Reply reply, Outcome.Waiting wait) {
    LockMessage.Handle asked = reply.asked();
    waiting.put(wait.request(), new Asker(asked.number(), asked.replyTo()));
    reply
        .patience()
        .ifPresent(patience -> terms.keeper().waitsAtMost(terms.key(), wait.request(), patience));
  }

  private static boolean isToTell(Decisions.Reply reply) {
    return !(reply.outcome() instanceof Outcome.Waiting) || reply.asked().tellsPlace();
  }

  /** Tells what was so, and that a grant stands only if it still does. */
  private void confirmed(List<Decisions.Reply> replies, long revision, JournalVersion version) {
    for (Decisions.Reply reply : replies) {
      boolean hasEnded =
          reply.outcome() instanceof Outcome.Acquired acquired
              && acquired.isHeld()
              && !Applied.isHeld(version, scope.shard(), terms.key(), acquired.token());
      if (!hasEnded) {
        reply.tell(revision);
      }
    }
  }

  private boolean renew(LockState state, Renewal renewal) {
    boolean counts = terms.keeper().renew(renewal).filter(Renewal.Answer::alive).isPresent();
    if (!counts) {
      // It may be due, and its end on its way: that is decided next, and then told.
      log.debug("no sign of life counts for [{}] in [{}]", renewal, state);
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
  private Reaction<LockEvent, LockState> onStop(LockState state) {
    if (!state.isFree() || lastSequenceNr.getAsLong() == 0) {
      return Reaction.stop();
    }
    turnstile.close();
    var unused = events.expect(1, List.of(), Need.NOTHING, terms.keeper().forgetBefore());
    return Reaction.persist(List.of(new LockEvent.Forgotten()), free -> whenForgotten.run());
  }
}
