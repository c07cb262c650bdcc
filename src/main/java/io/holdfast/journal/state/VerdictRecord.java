package io.holdfast.journal.state;

import io.holdfast.id.Epoch;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last verdicts under a shard's current epoch, and the number of its last append.
 *
 * <p>It is kept for the shard and not for each id, so that it outlives an id that is forgotten.
 */
final class VerdictRecord {

  /** A part of the verdicts: the first write after a freeze copies only one chunk. */
  private static final class Chunk {

    static final int SIZE = 32;
    static final Chunk EMPTY = new Chunk(new @Nullable Verdict[SIZE]);

    final @Nullable Verdict[] verdicts;

    private Chunk(@Nullable Verdict[] verdicts) {
      this.verdicts = verdicts;
    }

    Chunk copied() {
      return new Chunk(verdicts.clone());
    }
  }

  /** The immutable content, for readers. */
  static final class Frozen {

    private final Epoch epoch;
    private final long last;
    private final int size;
    private final Chunk[] chunks; // each verdict is at its number modulo the size

    private Frozen(Epoch epoch, long last, int size, Chunk[] chunks) {
      this.epoch = epoch;
      this.last = last;
      this.size = size;
      this.chunks = chunks;
    }

    Epoch epoch() {
      return epoch;
    }

    long last() {
      return last;
    }

    /** The oldest number whose verdict is kept. */
    long oldest() {
      return Math.max(1, last - size + 1);
    }

    Verdict of(long number) {
      if (number < oldest()) {
        return new Verdict.Forgotten(number);
      }
      int place = (int) (number % size);
      Verdict verdict = chunks[place / Chunk.SIZE].verdicts[place % Chunk.SIZE];
      return verdict == null ? new Verdict.Forgotten(number) : verdict;
    }
  }

  private final int size;
  private Epoch epoch = Epoch.NONE;
  private long last;
  private Chunk[] chunks = {};
  private boolean shared;

  /** The index of the chunk that no reader shares, or -1. */
  private int own = -1;

  VerdictRecord(int size) {
    this.size = size;
  }

  /** The verdict on an append that is not the next one; empty if it is the next one. */
  Optional<Verdict> known(AppendId appendId, Epoch fence) {
    if (!appendId.epoch().equals(fence) || appendId.epoch().compareTo(epoch) < 0) {
      return Optional.of(new Verdict.Fenced(fence));
    }
    long had = appendId.epoch().equals(epoch) ? last : 0;
    if (appendId.number() > had + 1) {
      return Optional.of(new Verdict.Gap(had + 1));
    } else if (appendId.number() == had + 1) {
      return Optional.empty();
    }
    return Optional.of(new Frozen(epoch, last, size, chunks).of(appendId.number()));
  }

  /** Records the verdict on the next append. */
  void record(AppendId appendId, Verdict verdict) {
    if (!appendId.epoch().equals(epoch) || chunks.length == 0) {
      epoch = appendId.epoch();
      chunks = new Chunk[(size + Chunk.SIZE - 1) / Chunk.SIZE];
      Arrays.fill(chunks, Chunk.EMPTY);
      own = -1;
      shared = false;
    } else if (shared) {
      chunks = chunks.clone();
      own = -1;
      shared = false;
    }
    last = appendId.number();
    int place = (int) (last % size);
    if (own != place / Chunk.SIZE) {
      own = place / Chunk.SIZE;
      chunks[own] = chunks[own].copied();
    }
    chunks[own].verdicts[place % Chunk.SIZE] = verdict;
  }

  /** The current content, which never changes. */
  Frozen freeze() {
    shared = true;
    return new Frozen(epoch, last, size, chunks);
  }
}
