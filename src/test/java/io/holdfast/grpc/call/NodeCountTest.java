package io.holdfast.grpc.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.coordination.member.Owners;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.ShardId;
import io.holdfast.lock.LockKey;
import io.holdfast.sharding.ShardMap;
import io.holdfast.wire.Renewal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class NodeCountTest {

  private List<Long> members = List.of();
  private long version;

  @Test
  void owners_of_shards_are_counted_and_at_least_one_node() {
    NodeCount nodes = new NodeCount(new Shards());
    assertEquals(1, nodes.getAsInt());
    members = List.of(7L, 8L, 7L, 9L);
    assertEquals(1, nodes.getAsInt(), "nothing has changed");
    version++;
    assertEquals(3, nodes.getAsInt());
    members = List.of(7L);
    version++;
    assertEquals(1, nodes.getAsInt());
  }

  private final class Shards implements ShardMap {
    @Override
    public int shards() {
      return 5;
    }

    @Override
    public ShardId shard(LockKey key) {
      return ShardId.of(0);
    }

    @Override
    public ShardId shard(LeaseId lease) {
      return ShardId.of(0);
    }

    @Override
    public Owners owners() {
      return new Owners() {
        @Override
        public Optional<Owner> of(ShardId shard) {
          return shard.value() < members.size()
              ? Optional.of(new Owner(members.get(shard.value()), "akka", "", new Epoch(1)))
              : Optional.empty();
        }

        @Override
        public long version() {
          return version;
        }
      };
    }

    @Override
    public OptionalLong leftHere(Renewal of) {
      return OptionalLong.empty();
    }
  }
}
