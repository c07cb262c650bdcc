package io.holdfast.lock.rules;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;

/** Formats an outcome in the words of {@link NaiveLock}. */
final class OutcomeWords implements Outcome.Cases<String> {

  @Override
  public String acquired(Outcome.Acquired acquired) {
    return "acquired %s x%d %s".formatted(acquired.token(), acquired.count(), acquired.manner());
  }

  @Override
  public String waiting(Outcome.Waiting waiting) {
    return "waiting " + waiting.position();
  }

  @Override
  public String released(Outcome.Released released) {
    return "released %s %d%s"
        .formatted(released.token(), released.count(), released.repeated() ? " again" : "");
  }

  @Override
  public String withdrawn(Outcome.Withdrawn withdrawn) {
    return "withdrawn";
  }

  @Override
  public String cancelled(Outcome.Cancelled cancelled) {
    FencingToken released = cancelled.released();
    return "cancelled"
        + (cancelled.dropped() ? ", dropped" : "")
        + (released == null ? "" : ", released " + released);
  }

  @Override
  public String forced(Outcome.Forced forced) {
    return "forced " + forced.tokens() + (forced.repeated() ? " again" : "");
  }

  @Override
  public String orphansRemoved(Outcome.OrphansRemoved removed) {
    return "orphans removed";
  }

  @Override
  public String refused(Outcome.Refused refused) {
    return refused.refusal().match(new RefusalWords());
  }

  private static final class RefusalWords implements Refusal.Cases<String> {

    @Override
    public String held(Refusal.Held held) {
      return "held " + held.holder().token();
    }

    @Override
    public String queueFull(Refusal.QueueFull full) {
      return "full";
    }

    @Override
    public String limitReached(Refusal.LimitReached limit) {
      return "limit";
    }

    @Override
    public String countFull(Refusal.CountFull full) {
      return "count full";
    }

    @Override
    public String notHolder(Refusal.NotHolder not) {
      return "not held " + not.token();
    }

    @Override
    public String notWaiting(Refusal.NotWaiting not) {
      return "not waiting";
    }

    @Override
    public String requestReused(Refusal.RequestReused reused) {
      return "reused";
    }

    @Override
    public String requestForgotten(Refusal.RequestForgotten forgotten) {
      return "forgotten";
    }

    @Override
    public String leaseGone(Refusal.LeaseGone gone) {
      return "gone";
    }

    @Override
    public String leftQueue(Refusal.LeftQueue left) {
      return "left " + left.cause();
    }

    @Override
    public String noToken(Refusal.NoToken noToken) {
      return "no token";
    }
  }
}
