package io.holdfast.grpc.call;

import io.holdfast.coordination.member.Owners;
import io.holdfast.id.ShardId;
import io.holdfast.sharding.ShardMap;
import java.util.function.IntSupplier;

/** The number of nodes that clients can connect to: those that own shards, and at least one. */
final class NodeCount implements IntSupplier {

  private record CachedCount(long version, int nodes) {}

  private final ShardMap shards;
  private volatile CachedCount last = new CachedCount(Long.MIN_VALUE, 1);

  NodeCount(ShardMap shards) {
    this.shards = shards;
  }

  @Override
  public int getAsInt() {
    Owners owners = shards.owners();
    long version = owners.version();
    CachedCount counted = last;
    if (counted.version() != version) {
      long nodes =
          ShardId.range(shards.shards()).stream()
              .map(owners::of)
              .flatMap(owner -> owner.stream())
              .map(Owners.Owner::member)
              .distinct()
              .count();
      counted = new CachedCount(version, Math.max(1, (int) nodes));
      last = counted;
    }
    return counted.nodes();
  }
}
