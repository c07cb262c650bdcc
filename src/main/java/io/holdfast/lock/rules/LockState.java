package io.holdfast.lock.rules;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The state of one lock: its holder and its queue.
 *
 * <p>Only legal states exist: at most one holder, nobody waits for a free lock, and the {@link
 * WaiterQueue} has no duplicate request.
 */
public record LockState(List<Holder> holders, WaiterQueue waiters) {

  private static final String NOT_THERE = "an event names a holder or waiter that is not there";

  public static final LockState FREE = new LockState(List.of(), WaiterQueue.EMPTY);

  public LockState {
    holders = List.copyOf(holders);
    require(holders.size() <= 1, "I1 MutualExclusion: holders", holders);
    require(waiters.isEmpty() || !holders.isEmpty(), "I12 Live: a free lock has waiters", waiters);
  }

  public LockState(List<Holder> holders, List<Waiter> waiters) {
    this(holders, WaiterQueue.of(waiters));
  }

  public boolean isFree() {
    return holders.isEmpty();
  }

  public Optional<Holder> holder() {
    return holders.isEmpty() ? Optional.empty() : Optional.of(holders.get(0));
  }

  /** Returns the holder with this token. */
  public Optional<Holder> holder(FencingToken token) {
    for (Holder holder : holders) {
      if (holder.token().equals(token)) {
        return Optional.of(holder);
      }
    }
    return Optional.empty();
  }

  /** Returns the position of a request in the queue, from 1, or 0 if it does not wait. */
  public int position(RequestId request) {
    return waiters.position(request);
  }

  /**
   * Returns the state after an event. An event that is impossible in this state is a broken
   * invariant.
   */
  public LockState apply(LockEvent event) {
    return event.match(new Apply());
  }

  private final class Apply implements LockEvent.Cases<LockState> {

    @Override
    public LockState granted(LockEvent.Granted granted) {
      require(isFree(), "I1 MutualExclusion: granted while held", granted);
      return new LockState(List.of(granted.holder()), waiters);
    }

    @Override
    public LockState reentered(LockEvent.Reentered reentered) {
      return counted(reentered.token(), reentered.count(), 1, reentered);
    }

    @Override
    public LockState steppedOut(LockEvent.SteppedOut steppedOut) {
      return counted(steppedOut.token(), steppedOut.count(), -1, steppedOut);
    }

    private LockState counted(FencingToken token, int count, int change, LockEvent event) {
      removed(holders, h -> h.token().equals(token) && h.count() + change == count, event);
      return new LockState(
          holders.stream().map(h -> h.token().equals(token) ? h.withCount(count) : h).toList(),
          waiters);
    }

    @Override
    public LockState aged(LockEvent.Aged aged) {
      removed(holders, h -> h.token().equals(aged.token()), aged);
      return new LockState(
          holders.stream()
              .map(h -> h.token().equals(aged.token()) ? h.withAged(aged.aged()) : h)
              .toList(),
          waiters);
    }

    @Override
    public LockState queued(LockEvent.Queued queued) {
      return new LockState(holders, waiters.with(queued.waiter()));
    }

    @Override
    public LockState left(LockEvent.Left left) {
      require(position(left.request()) > 0, NOT_THERE, left);
      return new LockState(holders, waiters.without(left.request()));
    }

    @Override
    public LockState barred(LockEvent.Barred barred) {
      return LockState.this;
    }

    @Override
    public LockState freed(LockEvent.Freed freed) {
      return new LockState(removed(holders, h -> h.token().equals(freed.token()), freed), waiters);
    }

    @Override
    public LockState handedOver(LockEvent.HandedOver event) {
      removed(holders, h -> h.token().equals(event.token()), event);
      require(
          event.next().token().compareTo(event.token()) > 0,
          "I2 TokenMonotonic: handed over with a token that does not rise",
          event);
      require(
          position(event.next().request().id()) == 1,
          "I6 Fifo: handed over to a waiter that is not the first",
          event);
      return new LockState(List.of(event.next()), waiters.without(event.next().request().id()));
    }

    @Override
    public LockState forgotten(LockEvent.Forgotten forgotten) {
      require(isFree(), "I3 NoLostGrant: forgotten while held", LockState.this);
      return FREE;
    }
  }

  private static <T> List<T> removed(List<T> list, Predicate<T> which, LockEvent event) {
    List<T> rest = new ArrayList<>(list);
    rest.removeIf(which);
    require(rest.size() == list.size() - 1, NOT_THERE, event);
    return rest;
  }

  private static void require(boolean holds, String message, Object value) {
    if (!holds) {
      throw new IllegalStateException(message + " [" + value + "]");
    }
  }
}
