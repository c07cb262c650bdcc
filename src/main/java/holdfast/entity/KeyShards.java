package holdfast.entity;

import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.ShardingMessageExtractor;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Which shard a key is in: CRC-32C of its bytes, modulo the number of shards. Clients know it. */
final class KeyShards<M> extends ShardingMessageExtractor<ShardingEnvelope<M>, M> {

  private final int shards;

  KeyShards(int shards) {
    this.shards = shards;
  }

  @Override
  public String entityId(ShardingEnvelope<M> envelope) {
    return envelope.entityId();
  }

  @Override
  public String shardId(String key) {
    return Integer.toString(number(key));
  }

  int number(String key) {
    CRC32C crc = new CRC32C();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % shards);
  }

  @Override
  public M unwrapMessage(ShardingEnvelope<M> envelope) {
    return envelope.message();
  }
}
