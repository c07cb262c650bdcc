package io.holdfast.journal;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Fences;
import io.holdfast.journal.state.Fullness;
import io.holdfast.journal.state.JournalState;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The journal in this process alone. It applies the same rules, at once, and is lost with the
 * process.
 */
public final class InMemoryJournalStore implements JournalStore, ChangeFeed, LeaseEndFeed {

  private record Writer(ShardId shard, Epoch epoch) {}

  private final JournalState state;
  private final Fences fences;
  private final JournalListeners listeners = new JournalListeners();
  private final Map<Writer, Long> numbers = new HashMap<>();
  private Fullness fullness = Fullness.NONE;
  private long index;

  public InMemoryJournalStore(Bounds bounds, Fences fences) {
    this.state = new JournalState(bounds, 0);
    this.fences = fences;
  }

  @Override
  public synchronized void follow(ChangeFeed.Follower follower) {
    listeners.follow(follower);
  }

  @Override
  public synchronized void listen(LeaseEndFeed.Listener listener) {
    listeners.listen(listener);
  }

  @Override
  public synchronized JournalVersion version() {
    fullness = fullness.next(state.footprint(), fences.maxSize());
    return state.version(fullness);
  }

  @Override
  public CompletionStage<JournalVersion> confirmed() {
    return CompletableFuture.completedFuture(version());
  }

  @Override
  public CompletionStage<JournalVersion> settled(ShardId shard) {
    return CompletableFuture.completedFuture(version());
  }

  @Override
  public synchronized CompletionStage<Verdict> append(
      ShardId shard, Epoch epoch, Function<AppendId, Append> append) {
    Writer writer = new Writer(shard, epoch);
    long number = numbers.getOrDefault(writer, 0L) + 1;
    Verdict verdict =
        state
            .apply(
                index + 1,
                List.of(append.apply(new AppendId(shard, epoch, number))),
                fences,
                listeners.effects())
            .get(0);
    index++;
    listeners.tell(state.revision());
    if (!(verdict instanceof Verdict.Fenced)) { // which takes no number
      numbers
          .keySet()
          .removeIf(other -> other.shard.equals(shard) && other.epoch.compareTo(epoch) < 0);
      numbers.put(writer, number);
    }
    return CompletableFuture.completedFuture(verdict);
  }
}
