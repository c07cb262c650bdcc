package io.holdfast.coordination.state;

/**
 * A run of tokens that one owner of one shard may give out; no token is in two blocks.
 *
 * @param first the smallest token
 * @param size the number of tokens
 */
public record TokenBlock(long first, int size) {

  /** The number of tokens that the log gives out at a time. */
  public static final int SIZE = 1 << 16;

  public TokenBlock {
    if (first <= 0 || size <= 0 || size > SIZE || first + size - 1 < first) {
      throw new IllegalArgumentException("no block begins at [" + first + "] with [" + size + "]");
    }
  }

  /** The greatest token. */
  public long last() {
    return first + size - 1;
  }
}
