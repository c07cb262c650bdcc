package io.holdfast.bench.cluster;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Keys by their shard. */
public final class Keys {

  private Keys() {}

  static int shard(String key) {
    CRC32C crc = new CRC32C();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % Cluster.SHARDS);
  }

  /** The first key of the shard with this beginning. */
  public static String of(int shard, String beginning) {
    for (int i = 0; ; i++) {
      String key = beginning + "/" + i;
      if (shard(key) == shard) {
        return key;
      }
    }
  }
}
