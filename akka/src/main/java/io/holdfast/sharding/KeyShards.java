package io.holdfast.sharding;

import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.ShardingMessageExtractor;
import io.holdfast.id.ShardId;
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
    return Integer.toString(of(key).value());
  }

  /** Returns the shard of the actor with this name. */
  public ShardId of(String key) {
    Optional<ShardId> named = EntityIds.shard(key);
    if (named.isPresent()) {
      return named.get();
    }
    CRC32C crc = new CRC32C();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    return ShardId.of((int) (crc.getValue() % shards));
  }

  @Override
  public M unwrapMessage(ShardingEnvelope<M> envelope) {
    return envelope.message();
  }
}
