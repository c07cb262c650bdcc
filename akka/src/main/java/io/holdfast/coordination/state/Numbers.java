package io.holdfast.coordination.state;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;

/**
 * The source of every number that must never be given out twice: a generation (16 bits) over a
 * counter (47 bits), one counter for sessions, epochs and marks, and one for tokens.
 */
final class Numbers {

  static final int COUNTER_BITS = 47;
  static final long MAX_COUNTER = (1L << COUNTER_BITS) - 1;
  static final int MAX_GENERATION = (1 << 16) - 1;

  /** The numbers that are kept for endings, which cannot be refused. */
  private static final long RESERVE = 1 << 20;

  private int generation;
  private long last;
  private long lastToken;

  Numbers(int generation, long last, long lastToken) {
    this.generation = generation;
    this.last = last;
    this.lastToken = lastToken;
  }

  int generation() {
    return generation;
  }

  /** The next number of a session, epoch or mark. */
  long next() {
    last++;
    return numbered(last);
  }

  /** The next block of tokens: above all blocks before it, of whatever shard and owner. */
  TokenBlock nextBlock() {
    TokenBlock block = new TokenBlock(numbered(lastToken + 1), TokenBlock.SIZE);
    lastToken += TokenBlock.SIZE;
    return block;
  }

  /** True if nothing more may begin in this generation. */
  boolean areUsedUp() {
    return last >= MAX_COUNTER - RESERVE || lastToken > MAX_COUNTER - TokenBlock.SIZE;
  }

  void raise(int newGeneration) {
    generation = newGeneration;
    last = 0;
    lastToken = 0;
  }

  void writeTo(BytesOutput out) {
    out.putInt(generation).putLong(last).putLong(lastToken);
  }

  static Numbers readFrom(BytesInput in) {
    return new Numbers(in.getInt(), in.getLong(), in.getLong());
  }

  private long numbered(long counter) {
    return ((long) generation << COUNTER_BITS) | counter;
  }
}
