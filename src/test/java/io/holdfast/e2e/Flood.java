package io.holdfast.e2e;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.holdfast.v1.Reason;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Many requests by way of all nodes, some at a time, until they are refused. */
final class Flood {

  private static final int AT_ONCE = 96;
  private static final int ENOUGH_REFUSALS = 500;
  private static final int MOST = 300_000;
  private static final long WITHIN_SECONDS = 120;

  /** One request, by its number, by way of a node. */
  interface Ask {
    CompletableFuture<?> at(int node, long number);
  }

  /** The number of requests that were done, and of those refused, by reason. */
  record Result(int done, Map<Reason, Integer> refused) {}

  private Flood() {}

  static <T> CompletableFuture<T> done(ListenableFuture<T> call) {
    return then(call, answer -> {});
  }

  static <T> CompletableFuture<T> then(ListenableFuture<T> call, Consumer<T> use) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Futures.addCallback(
        call,
        new FutureCallback<T>() {
          @Override
          public void onSuccess(T answer) {
            use.accept(answer);
            done.complete(answer);
          }

          @Override
          public void onFailure(Throwable failure) {
            done.completeExceptionally(failure);
          }
        },
        MoreExecutors.directExecutor());
    return done;
  }

  /** So many, however they end. */
  static Result run(int count, Ask ask) {
    return flood(count, Integer.MAX_VALUE, ask);
  }

  /** Until enough of them were refused since the state is full. */
  static Result untilRefused(Ask ask) {
    return flood(MOST, ENOUGH_REFUSALS, ask);
  }

  private static Reason reason(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return Asked.refusal(cause == null ? failure : cause).getReason();
  }

  private static Result flood(int most, int enough, Ask ask) {
    Semaphore free = new Semaphore(AT_ONCE);
    AtomicInteger done = new AtomicInteger();
    Map<Reason, Integer> refused = new ConcurrentHashMap<>();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WITHIN_SECONDS);
    for (int number = 0;
        number < most && refused.getOrDefault(Reason.REASON_STATE_FULL, 0) < enough;
        number++) {
      try {
        if (System.nanoTime() > until || !free.tryAcquire(WITHIN_SECONDS, TimeUnit.SECONDS)) {
          throw new AssertionError("[%d] done, refused %s".formatted(done.get(), refused));
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      var unused =
          ask.at(number % ClusterUnderTest.SIZE, number)
              .whenComplete(
                  (answer, failure) -> {
                    try {
                      if (failure == null) {
                        done.incrementAndGet();
                      } else {
                        refused.merge(reason(failure), 1, Integer::sum);
                      }
                    } finally {
                      free.release();
                    }
                  });
    }
    free.acquireUninterruptibly(AT_ONCE);
    return new Result(done.get(), Map.copyOf(refused));
  }
}
