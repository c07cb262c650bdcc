package io.holdfast.grpc.call;

import io.grpc.Status;
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands that a node has under way: each counts until it is answered, whoever still waits for
 * that, and of too many the next is refused. Who holds or waits goes first: renewals, releases and
 * cancels have a reserve. Safe for use by many threads.
 */
public final class Commands {

  /** A connection has this part of a node. */
  private static final int CONNECTION_PART = 2;

  /** So much more, in percent, there may be of what goes first. */
  private static final int RESERVE = 50;

  /** What was not answered in time is given back, which takes as long. */
  private static final Duration STILL_UNDER_WAY = Duration.ofSeconds(5);

  private final Quota quota;

  /**
   * None is under way.
   *
   * @param most how many may be, without the reserve
   */
  public Commands(int most) {
    quota = new Quota(Quota.Kind.COMMANDS, most, Math.max(1, most / CONNECTION_PART));
  }

  /** Whether there is room for one command behind so many more. */
  public boolean hasRoom(Caller caller, int more, boolean goesFirst) {
    return full(caller, more, goesFirst) == null;
  }

  /** The refusal of a call for which there is no room; null if there is. Nothing was done. */
  public Refusal.@Nullable Builder refusal(Caller caller, boolean goesFirst) {
    Quota.Full full = full(caller, 0, goesFirst);
    return full == null ? null : refusal(full);
  }

  private Quota.@Nullable Full full(Caller caller, int more, boolean goesFirst) {
    return quota.full(caller, more, goesFirst ? RESERVE : 0);
  }

  private static Refusal.Builder refusal(Quota.Full full) {
    return Refusal.newBuilder()
        .setReason(Reason.REASON_OVERLOADED)
        .setMessage(
            "[%d] commands of the %s are under way, the maximum by holdfast.grpc.max-commands"
                .formatted(full.most(), full.of()))
        .setMaximum(full.most());
  }

  /** So many more are under way, or fewer. */
  public void count(Caller caller, int more) {
    quota.count(caller, more);
  }

  /**
   * One has been answered. If nobody could say what became of it, it may be under way for longer.
   */
  public void answered(Caller caller, @Nullable Throwable failure) {
    if (failure != null && Calls.status(failure).getStatus().getCode() == Status.Code.UNKNOWN) {
      CompletableFuture.delayedExecutor(STILL_UNDER_WAY.toMillis(), TimeUnit.MILLISECONDS)
          .execute(() -> count(caller, -1));
    } else {
      count(caller, -1);
    }
  }

  /** Runs one. */
  public <T> CompletionStage<T> run(Caller caller, Supplier<CompletionStage<T>> command) {
    count(caller, 1);
    return command.get().whenComplete((answer, failure) -> answered(caller, failure));
  }
}
