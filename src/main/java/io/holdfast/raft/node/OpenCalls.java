package io.holdfast.raft.node;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The calls that the core was given under a number and has not answered yet. */
final class OpenCalls<T> {

  private final Map<Long, CompletableFuture<T>> open = new HashMap<>();
  private long lastNumber;

  /** Gives the call its number. */
  long begin(CompletableFuture<T> call) {
    open.put(++lastNumber, call);
    return lastNumber;
  }

  void end(long number, T answer) {
    @Nullable CompletableFuture<T> call = open.remove(number);
    if (call != null) {
      call.complete(answer);
    }
  }

  void endAll(LongFunction<T> answer) {
    Map<Long, CompletableFuture<T>> left = Map.copyOf(open);
    open.clear();
    left.forEach((number, call) -> call.complete(answer.apply(number)));
  }

  int count() {
    return open.size();
  }
}
