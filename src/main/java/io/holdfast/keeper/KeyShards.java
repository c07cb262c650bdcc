package io.holdfast.keeper;

import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.ShardingMessageExtractor;
import io.holdfast.wire.EntityIds;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Maps a key to its shard: CRC-32C of its bytes, modulo the number of shards. Clients use the same
 * function.
 */
public final class KeyShards<M> extends ShardingMessageExtractor<ShardingEnvelope<M>, M> {

  private final int shards;

  public KeyShards(int shards) {
    this.shards = shards;
  }

  public int count() {
    return shards;
  }

  @Override
  public String entityId(ShardingEnvelope<M> envelope) {
    return envelope.entityId();
  }

  @Override
  public String shardId(String key) {
    return Integer.toString(number(key));
  }

  /** Returns the number of the shard of the actor with this name. */
  public int number(String key) {
    Optional<Integer> named = EntityIds.shard(key);
    if (named.isPresent()) {
      return named.get();
    }
    CRC32C crc = new CRC32C();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % shards);
  }

  @Override
  public M unwrapMessage(ShardingEnvelope<M> envelope) {
    return envelope.message();
  }
}
