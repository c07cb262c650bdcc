package io.holdfast.client.session;

import io.holdfast.v1.Answer;
import io.holdfast.v1.Header;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.ShardHash;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A session of two nodes, or more if it is told of them, that is driven by hand: its clock, its
 * frames, the ends of its streams.
 */
abstract class CoreByHand {

  protected static final long MILLI = 1_000_000;
  protected static final long TTL = 10_000;

  protected long now = Long.MAX_VALUE - 3_000 * MILLI; // overflows soon
  protected final SessionCore core =
      new SessionCore(
          SessionTerms.of("c", TTL),
          List.of("a:1", "b:1"),
          new SplittableRandom(1),
          Long.MAX_VALUE - 3_000 * MILLI);
  protected final long[] streams = new long[4];
  protected final List<HeldGrant> granted = new ArrayList<>();
  protected final List<String> told = new ArrayList<>();

  protected final LockAttempt.Listener listener =
      new LockAttempt.Listener() {
        @Override
        public void granted(HeldGrant grant) {
          granted.add(grant);
          grant.onLost(reason -> told.add("lost " + reason));
        }

        @Override
        public void notAcquired(String why) {
          told.add(why);
        }

        @Override
        public void failed(Failure failure) {
          told.add(failure.toString());
        }
      };

  protected List<Effect> after(long millis) {
    now += millis * MILLI;
    core.onTick(now);
    return effects();
  }

  protected List<Effect> effects() {
    List<Effect> effects = core.effects(now);
    for (Effect effect : effects) {
      if (effect instanceof Effect.Open open) {
        streams[open.node()] = open.stream();
      }
    }
    return effects;
  }

  protected static List<Operation> sentTo(int node, List<Effect> effects) {
    return effects.stream()
        .filter(effect -> effect instanceof Effect.Send send && send.node() == node)
        .flatMap(effect -> ((Effect.Send) effect).frame().getOperationsList().stream())
        .toList();
  }

  protected static List<SessionRequest> keepAlives(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((Effect.Send) effect).frame())
        .filter(frame -> frame.getKeepAliveNumber() > 0)
        .toList();
  }

  protected void frame(int node, SessionResponse.Builder frame) {
    core.onFrame(
        node,
        streams[node],
        frame.setHeader(Header.newBuilder().setMemberId(node + 1L)).build(),
        now);
  }

  protected static SessionResponse.Builder opened() {
    return opened(77, TTL);
  }

  protected static SessionResponse.Builder opened(long session, long ttl) {
    return SessionResponse.newBuilder()
        .setOpened(
            SessionOpened.newBuilder()
                .setSessionId(session)
                .setGrantedTtlMs(ttl)
                .setMaxOpenOperations(10)
                .setShardCount(1)
                .setShardHash(ShardHash.SHARD_HASH_CRC32C));
  }

  protected static SessionResponse.Builder answer(long number, LockResponse.Builder lock) {
    return SessionResponse.newBuilder()
        .addAnswers(Answer.newBuilder().setNumber(number).setLock(lock));
  }

  protected static LockResponse.Builder grant(long token) {
    return LockResponse.newBuilder()
        .setAcquired(true)
        .setHeldNow(true)
        .setFencingToken(token)
        .setGrantedTtlMs(TTL);
  }

  protected LockAttempt attempt(String key) {
    return core.acquire(new LockAttempt.Terms(key, "h", 0, -1), listener, now);
  }

  /** Opens the session at the first node, and a stream at the second, all within a moment. */
  protected void open() {
    after(0);
    frame(0, opened());
    after(0);
    frame(1, opened());
    effects();
  }
}
