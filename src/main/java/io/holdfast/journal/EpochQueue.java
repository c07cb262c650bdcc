package io.holdfast.journal;

import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What one shard's epoch still waits for, by turn. It is sent in the order of the turns; what comes
 * back without a verdict is sent again, after a pause, with all that follows it.
 *
 * <p>Not thread safe.
 */
final class EpochQueue {

  /** One append on its way. */
  static final class Writing {
    final EpochQueue lane;
    final long number;
    final Append append;
    final long bytes;
    final CompletableFuture<Verdict> answer = new CompletableFuture<>();
    private boolean sent;

    private Writing(EpochQueue lane, long number, Append append) {
      this.lane = lane;
      this.number = number;
      this.append = append;
      this.bytes = SendQueue.bytes(append);
    }

    void sent() {
      sent = true;
    }
  }

  private final int shard;
  private final long epoch;
  private final TreeMap<Long, Writing> open = new TreeMap<>();
  private long nextNumber = 1;
  private boolean pausing;

  EpochQueue(int shard, long epoch) {
    this.shard = shard;
    this.epoch = epoch;
  }

  Writing add(Function<AppendId, Append> append) {
    long number = nextNumber;
    Writing writing = new Writing(this, number, append.apply(new AppendId(shard, epoch, number)));
    if (writing.bytes > SendQueue.MAX_BYTES) {
      throw new IllegalArgumentException(
          "[%d] bytes exceed the maximum of a write [%d]"
              .formatted(writing.bytes, SendQueue.MAX_BYTES));
    }
    nextNumber++; // not before: an append that cannot be written must not leave a gap
    open.put(number, writing);
    return writing;
  }

  int shard() {
    return shard;
  }

  long epoch() {
    return epoch;
  }

  /** Whether this is of an earlier epoch of the shard. */
  boolean isBefore(int otherShard, long otherEpoch) {
    return shard == otherShard && epoch < otherEpoch;
  }

  int size() {
    return open.size();
  }

  /** Whether something came back, so that what follows it has to wait with it. */
  boolean isPausing() {
    return pausing;
  }

  /** This one came back without a verdict. */
  void cameBack(Writing writing) {
    if (open.containsKey(writing.number)) {
      writing.sent = false;
      pausing = true;
    }
  }

  /** The pause is over; says what is to be sent, in order. */
  List<Writing> goOn() {
    pausing = false;
    return open.values().stream().filter(writing -> !writing.sent).toList();
  }

  /** This one has its verdict; says whether it had not had one before. */
  boolean judged(Writing writing) {
    return open.remove(writing.number) != null;
  }

  /** All that waits now. */
  List<CompletableFuture<Verdict>> answers() {
    List<CompletableFuture<Verdict>> answers = new ArrayList<>();
    open.values().forEach(writing -> answers.add(writing.answer));
    return answers;
  }
}
