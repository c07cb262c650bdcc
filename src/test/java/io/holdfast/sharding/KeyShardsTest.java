package io.holdfast.sharding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests the shards of keys. Clients compute them too, so these values never change. */
class KeyShardsTest {

  @Test
  void a_key_s_shard_is_its_crc_32c_modulo_the_number_of_shards() {
    // The check value of CRC-32C: 0xE3069283 for "123456789".
    assertEquals(Long.toString(0xE3069283L % 48), new KeyShards<Object>(48).shardId("123456789"));
    assertEquals(
        Long.toString(0xE3069283L % 1_000), new KeyShards<Object>(1_000).shardId("123456789"));
  }
}
