package io.holdfast.server;

import io.holdfast.id.ShardId;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.sharding.LockShards;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Sends each shard a request that changes nothing, by the same way as all requests: to release one
 * of its locks under a token that nobody ever had.
 */
final class ShardQuestions {

  private static final ClientId ASKER = new ClientId("holdfast-start");

  /** A token of a generation before the first, which no grant has. */
  private static final FencingToken NOBODYS = new FencingToken(1);

  private final LockShards locks;
  private final LongSupplier random;
  private final Map<ShardId, LockKey> keys = new HashMap<>();

  ShardQuestions(LockShards locks, LongSupplier random) {
    this.locks = locks;
    this.random = random;
    for (int i = 0; keys.size() < locks.shards(); i++) {
      LockKey key = new LockKey("holdfast-start/" + i);
      keys.putIfAbsent(locks.shard(key), key);
    }
  }

  CompletionStage<?> ask(ShardId shard) {
    RequestHeader request =
        new RequestHeader(
            new RequestId.Once(ASKER, random.getAsLong()),
            new ContentHash().and("unlock").and(NOBODYS.value()).value());
    LockKey key = keys.get(shard);
    if (key == null) {
      throw new IllegalArgumentException("there is no shard [" + shard.value() + "]");
    }
    return locks.handle(key, new LockCommand.Release(request, NOBODYS, /* all= */ true));
  }
}
