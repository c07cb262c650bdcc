package io.holdfast.coordination.node;

import io.holdfast.coordination.state.TokenBlock;
import io.holdfast.id.Epoch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * The tokens of one ownership of one shard, given out in order, each once.
 *
 * <p>A new epoch needs a new cursor: the tokens of an older one are never given out again. Used by
 * one thread.
 */
public final class TokenCursor {

  /** The most blocks that may wait behind the one in use. */
  public static final int MAX_BLOCKS = 4;

  private final Epoch epoch;
  private final long prefetchAt;
  private final Deque<TokenBlock> blocks = new ArrayDeque<>();
  private long next;
  private long newest;
  private boolean isAsking;

  /**
   * @param prefetchAt the number of tokens left at which more are asked for
   */
  public TokenCursor(Epoch epoch, TokenBlock first, long prefetchAt) {
    this.epoch = epoch;
    this.prefetchAt = prefetchAt;
    blocks.add(first);
    next = first.first();
    newest = first.last();
  }

  public Epoch epoch() {
    return epoch;
  }

  /** The next token, or empty if there is none left or the epoch is not this cursor's. */
  public OptionalLong next(Epoch current) {
    TokenBlock block = blocks.peek();
    if (block == null || !current.equals(epoch)) {
      return OptionalLong.empty();
    }
    long token = next;
    next++;
    if (token == block.last()) {
      blocks.remove();
      TokenBlock following = blocks.peek();
      next = following == null ? token : following.first();
    }
    return OptionalLong.of(token);
  }

  /** Adds a block that the log gave to this epoch; any other is passed over. */
  public boolean add(Epoch owner, TokenBlock block) {
    if (!owner.equals(epoch) || block.first() <= newest || blocks.size() >= MAX_BLOCKS) {
      return false;
    }
    if (blocks.isEmpty()) {
      next = block.first();
    }
    blocks.add(block);
    newest = block.last();
    isAsking = false;
    return true;
  }

  /** The number of tokens that are left. */
  public long remaining() {
    long remaining = 0;
    for (TokenBlock block : blocks) {
      remaining += block.size();
    }
    TokenBlock first = blocks.peek();
    return first == null ? 0 : remaining - (next - first.first());
  }

  /**
   * True if the log is to be asked for a block now; says so once, until {@link #add} or {@link
   * #failed}.
   */
  public boolean asksForMore() {
    if (isAsking || remaining() > prefetchAt) {
      return false;
    }
    isAsking = true;
    return true;
  }

  /** The block that was asked for does not come. */
  public void failed() {
    isAsking = false;
  }
}
