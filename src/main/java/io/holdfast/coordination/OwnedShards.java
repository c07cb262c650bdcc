package io.holdfast.coordination;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationRefusal;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires and releases the shards of this node.
 *
 * <p>Acquires and releases of one shard run one after the other, in the order in which they were
 * asked for: a release that nobody waits for must not end the ownership that follows it. What is
 * public is safe for use by many threads; the rest belongs to coordination's own.
 */
public final class OwnedShards implements ShardOwnership {

  private static final Logger log = LoggerFactory.getLogger(OwnedShards.class);

  /** The time for which an acquire waits until the owner before lets go. */
  private static final long WAIT_MS = 1_000;

  /** The pause before what has no verdict is proposed again. */
  private static final long AGAIN_MS = 20;

  private record Holding(Ownership ownership, Consumer<String> lost) {}

  private final NodeCoordination node;
  private final Map<ShardId, Holding> holdings = new ConcurrentHashMap<>();
  private final Map<ShardId, CompletableFuture<Boolean>> last = new HashMap<>();

  /** The epochs that nobody here wants, for as long as their release has no verdict. */
  private final Map<ShardId, Epoch> givenBack = new HashMap<>();

  private List<Runnable> waiting = new ArrayList<>();
  private long request;

  OwnedShards(NodeCoordination node) {
    this.node = node;
  }

  @Override
  public Optional<OwnedShard> of(ShardId shard) {
    return Optional.ofNullable(holdings.get(shard)).map(Holding::ownership);
  }

  /**
   * Makes the shard this node's, under a new epoch; false if it cannot be had now.
   *
   * @param lost told why, when the log ends the ownership
   */
  public CompletionStage<Boolean> acquire(ShardId shard, Consumer<String> lost) {
    return node.call(
        () -> {
          long untilMs = node.nowMs() + WAIT_MS;
          return inTurn(shard, done -> tryAcquire(shard, lost, untilMs, done));
        });
  }

  /**
   * Gives the shard up, after all that was asked for it before; true once the log says that its
   * ownership has ended.
   */
  public CompletionStage<Boolean> release(ShardId shard) {
    return node.call(() -> giveUp(shard));
  }

  private CompletionStage<Boolean> giveUp(ShardId shard) {
    return inTurn(
        shard,
        done -> {
          Holding held = holdings.remove(shard);
          if (held == null) {
            done.complete(true);
          } else {
            held.ownership.end();
            release(shard, held.ownership.epoch(), done);
          }
        });
  }

  private CompletionStage<Boolean> inTurn(
      ShardId shard, Consumer<CompletableFuture<Boolean>> step) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    var unused = done.thenRunAsync(() -> giveBackUnwanted(shard), node::run);
    CompletableFuture<Boolean> before = last.put(shard, done);
    if (before == null || before.isDone()) {
      begin(step, done);
    } else {
      var unusedToo = before.thenRunAsync(() -> begin(step, done), node::run);
    }
    return done;
  }

  /**
   * Runs a step. If it throws, its stage completes all the same, so that the next step has its
   * turn.
   */
  private static void begin(
      Consumer<CompletableFuture<Boolean>> step, CompletableFuture<Boolean> done) {
    try {
      step.accept(done);
    } catch (RuntimeException e) {
      done.complete(false);
      throw e;
    }
  }

  private void tryAcquire(
      ShardId shard, Consumer<String> lost, long untilMs, CompletableFuture<Boolean> done) {
    SessionId session = node.session().live();
    if (session == null) {
      done.complete(false);
      return;
    }
    request++;
    node.propose(
        new CoordinationCommand.AcquireShard(session, shard, request, node.session().terms()),
        verdict -> {
          if (verdict.orElse(null) instanceof CoordinationVerdict.Acquired acquired) {
            acquired(acquired, lost, done);
          } else if (verdict.isEmpty() || isTaken(verdict)) {
            Runnable again = once(() -> acquireAgain(shard, lost, untilMs, done));
            waiting.add(again);
            node.after(
                verdict.isEmpty() ? AGAIN_MS : untilMs - node.nowMs(),
                () -> {
                  waiting.remove(again);
                  again.run();
                });
          } else {
            done.complete(false);
          }
        });
  }

  private void acquireAgain(
      ShardId shard, Consumer<String> lost, long untilMs, CompletableFuture<Boolean> done) {
    if (node.nowMs() < untilMs) {
      tryAcquire(shard, lost, untilMs, done);
    } else {
      done.complete(false);
    }
  }

  private void acquired(
      CoordinationVerdict.Acquired acquired,
      Consumer<String> lost,
      CompletableFuture<Boolean> done) {
    if (node.session().live() == null) {
      done.complete(false); // it has ended since
      return;
    }
    Holding now = new Holding(new Ownership(node, acquired), lost);
    Holding before = holdings.put(acquired.shard(), now);
    if (before != null) {
      before.ownership.end();
    }
    log.debug("owns {} from {} on", acquired.shard(), acquired.epoch());
    done.complete(true);
  }

  private void release(ShardId shard, Epoch epoch, CompletableFuture<Boolean> done) {
    SessionId session = node.session().live();
    if (session == null) {
      done.complete(true); // with its session all its ownerships have ended
      return;
    }
    node.propose(
        new CoordinationCommand.ReleaseShard(session, shard, epoch),
        verdict -> {
          if (verdict.isPresent()) {
            done.complete(true);
          } else {
            node.after(AGAIN_MS, () -> release(shard, epoch, done));
          }
        });
  }

  /**
   * The log has decided. A shard that it gave to this node, and that nobody here wants, goes back.
   */
  void applied(CoordinationVerdict verdict) {
    if (verdict instanceof CoordinationVerdict.Acquired acquired
        && acquired.session().equals(node.session().live())) {
      giveBackUnwanted(acquired.shard());
    }
  }

  /** The state has jumped: it may have given this session shards meanwhile. */
  void restored() {
    ShardId.range(node.read(CoordinationState::shards)).forEach(this::giveBackUnwanted);
  }

  /*
   * The answer to an acquire may come so late that whoever asked has given up. Then nobody else
   * could have the shard; and an older ownership of it is fenced, and must not outlive the new one.
   */
  private void giveBackUnwanted(ShardId shard) {
    SessionId session = node.session().live();
    CompletableFuture<Boolean> asking = last.get(shard);
    if (session == null || (asking != null && !asking.isDone())) {
      return; // what is asked for comes to its end first
    }
    node.read(state -> state.owner(shard).filter(session::equals).map(own -> state.fence(shard)))
        .filter(epoch -> !isHeld(shard, epoch))
        .ifPresent(
            epoch -> {
              Holding fenced = holdings.remove(shard);
              if (fenced != null) {
                fenced.ownership.end();
                fenced.lost.accept("it was acquired anew");
              }
              giveBack(shard, epoch);
            });
  }

  /* Once, however often it is seen to be unwanted: without a majority each release asks for ever. */
  private void giveBack(ShardId shard, Epoch epoch) {
    if (!epoch.equals(givenBack.put(shard, epoch))) {
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      var unused = done.thenRun(() -> givenBack.remove(shard, epoch));
      release(shard, epoch, done);
    }
  }

  private boolean isHeld(ShardId shard, Epoch epoch) {
    Holding held = holdings.get(shard);
    return held != null && held.ownership.epoch().equals(epoch);
  }

  /** Retries all waiting acquires, since a shard has become free. */
  void shardsFreed() {
    List<Runnable> all = waiting;
    waiting = new ArrayList<>();
    all.forEach(Runnable::run);
  }

  /** The session has ended, and with it all ownerships. */
  void sessionEnded(String reason) {
    List<Holding> all = new ArrayList<>(holdings.values());
    holdings.clear();
    all.forEach(held -> held.ownership.end());
    all.forEach(held -> held.lost.accept(reason));
    shardsFreed();
  }

  private static boolean isTaken(Optional<CoordinationVerdict> verdict) {
    return verdict.orElse(null) instanceof CoordinationVerdict.Refused refused
        && refused.reason() == CoordinationRefusal.SHARD_TAKEN;
  }

  private static Runnable once(Runnable action) {
    return new Runnable() {
      private @Nullable Runnable left = action;

      @Override
      public void run() {
        Runnable now = left;
        left = null;
        if (now != null) {
          now.run();
        }
      }
    };
  }
}
