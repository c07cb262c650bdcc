package io.holdfast.coordination.member;

import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The owners of all shards, by the entries that this node has followed. They are kept ready, since
 * every answer reads them. Written by one thread, read by many.
 */
final class OwnerTable implements Owners {

  private record Table(long version, List<Optional<Owner>> owners) {}

  private static final Set<Class<?>> UNCHANGING =
      Set.of(
          CoordinationVerdict.Renewed.class,
          CoordinationVerdict.BlockTaken.class,
          CoordinationVerdict.Refused.class);

  private volatile Table table = new Table(0, List.of());

  @Override
  public Optional<Owner> of(ShardId shard) {
    List<Optional<Owner>> owners = table.owners;
    return shard.value() < owners.size() ? owners.get(shard.value()) : Optional.empty();
  }

  @Override
  public long version() {
    return table.version;
  }

  /** True if the command with this verdict may have changed an owner. */
  static boolean isChangedBy(CoordinationVerdict verdict) {
    return !UNCHANGING.contains(verdict.getClass());
  }

  /** Takes the owners from the state. Returns true if one has changed. */
  boolean follow(CoordinationState state) {
    List<Optional<Owner>> owners = new ArrayList<>();
    for (ShardId shard : ShardId.range(state.shards())) {
      owners.add(
          state
              .owner(shard)
              .flatMap(state::session)
              .map(
                  session ->
                      new Owner(
                          session.member().value(),
                          session.akkaAddress(),
                          session.endpoint(),
                          state.fence(shard))));
    }
    boolean differs = !owners.equals(table.owners);
    if (differs) {
      table = new Table(table.version + 1, List.copyOf(owners));
    }
    return differs;
  }
}
