package io.holdfast.grpc.call;

import io.grpc.Status;
import io.holdfast.grpc.guard.ClientConnection;
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
 * The quota of commands in progress at a node. Each command counts until it is answered, even if
 * its client is gone; a command beyond the quota is refused. Renewals, releases and cancels have
 * priority: they have a reserve. Safe for use by many threads.
 */
public final class CommandQuota {

  /** One connection may use this part of the node's quota. */
  private static final int CONNECTION_PART = 2;

  /** The reserve for commands with priority, in percent of the quota. */
  private static final int RESERVE = 50;

  /**
   * A command without an answer in time counts for so long afterwards: it may still be executed.
   */
  private static final Duration STILL_UNDER_WAY = Duration.ofSeconds(5);

  private final Quota quota;

  /**
   * Starts without commands.
   *
   * @param most the maximum, without the reserve
   */
  public CommandQuota(int most) {
    quota = new Quota(Quota.Kind.COMMANDS, most, Math.max(1, most / CONNECTION_PART));
  }

  /** True if there is room for one command after {@code more} others. */
  public boolean hasRoom(ClientConnection caller, int more, boolean goesFirst) {
    return full(caller, more, goesFirst) == null;
  }

  /** Returns the refusal of a call for which there is no room; null if there is room. */
  public Refusal.@Nullable Builder refusal(ClientConnection caller, boolean goesFirst) {
    Quota.Full full = full(caller, 0, goesFirst);
    return full == null ? null : refusal(full);
  }

  private Quota.@Nullable Full full(ClientConnection caller, int more, boolean goesFirst) {
    return quota.full(caller, more, goesFirst ? RESERVE : 0);
  }

  private static Refusal.Builder refusal(Quota.Full full) {
    return Refusal.newBuilder()
        .setReason(Reason.REASON_OVERLOADED)
        .setMessage(
            "[%d] commands of the %s are in progress, the maximum by holdfast.grpc.max-commands"
                .formatted(full.most(), full.of()))
        .setMaximum(full.most());
  }

  /** Changes the count by {@code more}, which may be negative. */
  public void count(ClientConnection caller, int more) {
    quota.count(caller, more);
  }

  /** Stops counting a command. One with an unknown outcome counts a little longer. */
  public void answered(ClientConnection caller, @Nullable Throwable failure) {
    if (failure != null
        && CallRunner.status(failure).getStatus().getCode() == Status.Code.UNKNOWN) {
      CompletableFuture.delayedExecutor(STILL_UNDER_WAY.toMillis(), TimeUnit.MILLISECONDS)
          .execute(() -> count(caller, -1));
    } else {
      count(caller, -1);
    }
  }

  /** Runs a command, and counts it until it is answered. */
  public <T> CompletionStage<T> run(ClientConnection caller, Supplier<CompletionStage<T>> command) {
    count(caller, 1);
    return command.get().whenComplete((answer, failure) -> answered(caller, failure));
  }
}
