package io.holdfast.simulation.journal;

import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.id.ShardId;
import io.holdfast.simulation.Violation;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One shard at one node: by chance it is asked for and given up, and a {@link Holding} is kept. */
final class ShardSeat {

  /**
   * The number of looks for which a live session may own what its node neither has nor asks for: 2
   * s.
   */
  private static final int UNWANTED_TICKS = 100;

  private final NodeProcess node;
  private final NodeCoordination coordination;
  private final ShardId shard;
  private final SplittableRandom chance;
  private @Nullable Holding last;
  private @Nullable Holding givenUp;
  private long asked;
  private int open;
  private int unwantedTicks;

  ShardSeat(NodeProcess node, ShardId shard) {
    this.node = node;
    this.shard = shard;
    coordination = node.coordination();
    chance = node.chance();
  }

  ShardId shard() {
    return shard;
  }

  /** The holding of the shard that the node owns; null if it owns it not, or is to give it up. */
  @Nullable Holding holding() {
    OwnedShard now = coordination.shards().of(shard).orElse(null);
    if (now == null) {
      return null;
    }
    Holding known = last;
    if (known == null || known.owned() != now) {
      known = new Holding(now);
      last = known;
    }
    return known == givenUp ? null : known;
  }

  /** Asks for something, perhaps; the session of the node is valid. */
  void tend(SessionId session) {
    Holding held = holding();
    boolean isOwn = node.read(state -> state.owner(shard).filter(session::equals).isPresent());
    unwantedTicks = isOwn && held == null && open == 0 ? unwantedTicks + 1 : 0;
    if (unwantedTicks > UNWANTED_TICKS) {
      throw new Violation(
          "NoShardForNobody", node + " owns " + shard + " by the log and knows nothing of it");
    }
    int dice = chance.nextInt(1_000);
    if (held == null) {
      tendFree(dice);
    } else if (!node.world().isCalm()) {
      tendOwned(held, dice);
    }
  }

  private void tendFree(int dice) {
    boolean seemsFree = node.read(state -> state.owner(shard).isEmpty());
    if (open == 0 && dice < (seemsFree ? 300 : 10)) {
      acquire();
      if (!node.world().isCalm() && chance.nextInt(8) == 0) {
        release(); // who asked does not wait for the answer
      }
    } else if (open > 0 && !node.world().isCalm() && dice < 5) {
      release();
    }
  }

  private void tendOwned(Holding held, int dice) {
    if (dice < 15) {
      release();
      node.outlives(held);
      if (chance.nextInt(4) == 0) {
        acquire(); // as an actor that begins here again, at once
      }
    } else if (dice < 22) {
      acquire(); // a new epoch, which fences the one before
    }
  }

  private void acquire() {
    answered(
        coordination.shards().acquire(shard, reason -> {}),
        isOwner -> {
          if (isOwner) {
            node.recover(this);
          }
        });
  }

  /** Stops acting for the shard, and then gives it back. */
  private void release() {
    long number = asked + 1;
    Holding now = holding();
    if (now != null) {
      givenUp = now; // nothing begins there any more, though the node owns it for a while
    }
    answered(
        coordination.shards().release(shard),
        isFree -> {
          if (isFree && asked == number && coordination.shards().of(shard).isPresent()) {
            throw new Violation("NoShardForNobody", node + " gave back " + shard + " and has it");
          }
        });
  }

  private void answered(CompletionStage<Boolean> answer, Consumer<Boolean> then) {
    asked++;
    open++;
    var unused =
        answer.whenComplete(
            (is, failure) ->
                node.world()
                    .guard(
                        () -> {
                          open--;
                          if (failure instanceof RuntimeException unexpected) {
                            throw unexpected;
                          }
                          then.accept(is);
                        }));
  }
}
