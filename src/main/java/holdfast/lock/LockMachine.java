package holdfast.lock;

import holdfast.lock.Decision.Notice;
import holdfast.lock.LockEvent.EndCause;
import holdfast.lock.Outcome.Manner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a lock: what a command does to a state. Pure: the same arguments always give the
 * same decision.
 */
public final class LockMachine {

  private final int maxWaiters;

  /**
   * @param maxWaiters how many may wait in line; one more is refused
   */
  public LockMachine(int maxWaiters) {
    this.maxWaiters = maxWaiters;
  }

  /**
   * Whether a command grants the lock to somebody, and so needs a token. Another one may be decided
   * without.
   */
  public static boolean grants(LockState state, LockCommand command) {
    return command.match(
        new LockCommand.Cases<>() {
          @Override
          public Boolean acquire(LockCommand.Acquire acquire) {
            return state.isFree();
          }

          @Override
          public Boolean release(LockCommand.Release release) {
            return handsOver(state, release.token());
          }

          @Override
          public Boolean expire(LockCommand.Expire expire) {
            return handsOver(state, expire.token());
          }

          @Override
          public Boolean leave(LockCommand.Leave leave) {
            return false;
          }
        });
  }

  private static boolean handsOver(LockState state, FencingToken token) {
    return !state.waiters().isEmpty() && state.holder(token).isPresent();
  }

  /**
   * Decides one command.
   *
   * @param next the token of a grant, should there be one; greater than all before it. Null if none
   *     is to be had: then what would grant is refused
   */
  public Decision decide(LockState state, LockCommand command, @Nullable FencingToken next) {
    return command.match(
        new LockCommand.Cases<>() {
          @Override
          public Decision acquire(LockCommand.Acquire acquire) {
            return LockMachine.this.acquire(state, acquire, next);
          }

          @Override
          public Decision release(LockCommand.Release release) {
            return end(state, release.token(), EndCause.RELEASED, next);
          }

          @Override
          public Decision expire(LockCommand.Expire expire) {
            return end(state, expire.token(), EndCause.EXPIRED, next);
          }

          @Override
          public Decision leave(LockCommand.Leave leave) {
            return LockMachine.leave(state, leave);
          }
        });
  }

  private Decision acquire(
      LockState state, LockCommand.Acquire acquire, @Nullable FencingToken next) {
    Optional<Holder> held = state.holder();
    if (held.isEmpty()) {
      if (next == null) {
        return Decision.refuse(new Refusal.NoToken());
      }
      Holder holder = new Holder(acquire.holder(), acquire.request(), next, acquire.ttl());
      return Decision.persist(
          new LockEvent.Granted(holder), new Outcome.Acquired(holder, Manner.AT_ONCE));
    }
    Holder holder = held.get();
    int position = state.position(acquire.request());
    if (holder.request().equals(acquire.request())) {
      return repeat(acquire, holder.id(), new Outcome.Acquired(holder, Manner.REPEATED));
    } else if (position > 0) {
      HolderId waiting = state.waiters().get(position - 1).id();
      return repeat(acquire, waiting, new Outcome.Waiting(acquire.request(), position));
    } else if (holder.id().equals(acquire.holder())) {
      return Decision.answer(new Outcome.Acquired(holder, Manner.AT_ONCE));
    } else if (!acquire.patience().waits()) {
      return Decision.refuse(new Refusal.Held(holder));
    }
    return queue(state, acquire);
  }

  private static Decision repeat(LockCommand.Acquire acquire, HolderId known, Outcome outcome) {
    return known.equals(acquire.holder())
        ? Decision.answer(outcome)
        : Decision.refuse(new Refusal.RequestReused(acquire.request()));
  }

  private Decision queue(LockState state, LockCommand.Acquire acquire) {
    int position = state.waiters().size() + 1;
    if (position > maxWaiters) {
      return Decision.refuse(new Refusal.QueueFull(maxWaiters));
    }
    Waiter waiter =
        new Waiter(acquire.holder(), acquire.request(), acquire.ttl(), acquire.patience());
    return Decision.persist(
        new LockEvent.Queued(waiter), new Outcome.Waiting(acquire.request(), position));
  }

  private static Decision end(
      LockState state, FencingToken token, EndCause cause, @Nullable FencingToken next) {
    if (state.holder(token).isEmpty()) {
      return Decision.refuse(new Refusal.NotHolder(token));
    }
    Outcome outcome = new Outcome.Released(token);
    if (state.waiters().isEmpty()) {
      return Decision.persist(new LockEvent.Freed(token, cause), outcome);
    }
    if (next == null) {
      return Decision.refuse(new Refusal.NoToken());
    }
    Waiter first = state.waiters().get(0);
    Holder holder = first.granted(next);
    return Decision.persist(
        new LockEvent.HandedOver(token, cause, holder),
        outcome,
        new Notice(first.request(), new Outcome.Acquired(holder, Manner.AFTER_WAITING)));
  }

  private static Decision leave(LockState state, LockCommand.Leave leave) {
    int position = state.position(leave.request());
    if (position == 0) {
      return Decision.refuse(new Refusal.NotWaiting(leave.request()));
    }
    Refusal left =
        new Refusal.LeftLine(leave.request(), leave.cause(), position, state.holders().get(0));
    return Decision.persist(
        new LockEvent.Left(leave.request(), leave.cause()),
        new Outcome.Withdrawn(leave.request()),
        new Notice(leave.request(), new Outcome.Refused(left)));
  }
}
