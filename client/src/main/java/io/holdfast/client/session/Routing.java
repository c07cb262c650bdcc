package io.holdfast.client.session;

import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.ShardHash;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/** The owners of shards that this client knows. */
final class Routing {

  /** Stands for an unknown owner. */
  static final long UNKNOWN = 0;

  private record Owner(long member, long epoch) {}

  private final Map<Integer, Owner> owners = new HashMap<>();
  private final Map<Long, String> told = new LinkedHashMap<>();
  private int shardCount;

  /** Sets the shard function, as a session has reported it. */
  void opened(SessionOpened opened) {
    shardCount = opened.getShardHash() == ShardHash.SHARD_HASH_CRC32C ? opened.getShardCount() : 0;
  }

  /** Updates the owner of a shard; the hint with the larger epoch is newer. */
  void hinted(OwnerHint hint) {
    Owner known = owners.get(hint.getShard());
    boolean possible = hint.getShard() >= 0 && hint.getShard() < shardCount;
    if (possible && (known == null || hint.getEpoch() > known.epoch())) {
      owners.put(hint.getShard(), new Owner(hint.getMemberId(), hint.getEpoch()));
    }
    if (!hint.getEndpoint().isEmpty()) {
      told.put(hint.getMemberId(), hint.getEndpoint());
    }
  }

  /** Returns the addresses of members learned since the last call, in a deterministic order. */
  Map<Long, String> takeAddresses() {
    Map<Long, String> taken = new LinkedHashMap<>(told);
    told.clear();
    return taken;
  }

  /** Returns the member that owns the key's shard, or {@link #UNKNOWN}. */
  long owner(String key) {
    if (shardCount <= 0) {
      return UNKNOWN;
    }
    CRC32C crc = new CRC32C();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    Owner owner = owners.get((int) (crc.getValue() % shardCount));
    return owner == null ? UNKNOWN : owner.member();
  }
}
