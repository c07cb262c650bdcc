package io.holdfast.grpc.call;

import io.holdfast.coordination.Owners;
import io.holdfast.sharding.ShardMap;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** How many nodes clients can go to: those that run shards, and one if none is known to. */
final class Nodes implements IntSupplier {

  private record Counted(long version, int nodes) {}

  private final ShardMap shards;
  private volatile Counted last = new Counted(Long.MIN_VALUE, 1);

  Nodes(ShardMap shards) {
    this.shards = shards;
  }

  @Override
  public int getAsInt() {
    Owners owners = shards.owners();
    long version = owners.version();
    Counted counted = last;
    if (counted.version() != version) {
      long nodes =
          IntStream.range(0, shards.shards())
              .mapToObj(owners::of)
              .flatMap(owner -> owner.stream())
              .map(Owners.Owner::member)
              .distinct()
              .count();
      counted = new Counted(version, Math.max(1, (int) nodes));
      last = counted;
    }
    return counted.nodes();
  }
}
