package io.holdfast.simulation.journal;

import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.JournalVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * The locks of one node: its actors, also those that should be gone, and its promises to clients.
 */
final class Shop implements Tenant {

  private static final int OUTLIVES_TICKS = 60;

  private record Place(Ownership under, String key) {}

  private final JournalWorld world;
  private final NodeProcess node;
  private final SplittableRandom chance;
  private final Map<Place, LockActor> actors = new HashMap<>();
  private final Map<Ownership, LeaseActor> leases = new HashMap<>();
  private final List<LockActor> leaked = new ArrayList<>();

  Shop(JournalWorld world, NodeProcess node, SplittableRandom chance) {
    this.world = world;
    this.node = node;
    this.chance = chance;
  }

  /** Takes over the deadlines of the shard's grants, each with its full ttl, and the doubt. */
  @Override
  public void recover(Holding held, BooleanSupplier isStill) {
    ShardId shard = held.ownership().shard();
    var unused =
        node.store()
            .settled(shard)
            .thenAccept(
                version ->
                    world.guard(
                        () -> {
                          if (isStill.getAsBoolean()) {
                            recover(held, shard, version);
                          }
                        }));
  }

  private void recover(Holding held, ShardId shard, JournalVersion version) {
    long now = node.clock().nowMs();
    long doubtMs = held.owned().doubt().toMillis();
    for (PersistenceId id : version.liveIds(shard, "", Integer.MAX_VALUE)) {
      String key = id.value();
      if (LeaseActor.isKey(key)) {
        continue;
      }
      LockView view = world.view(version.replay(shard, id, 1));
      if (view.isHeld()) {
        long atMs = now + view.ttlMs() + doubtMs;
        held.deadlines().put(key, new Holding.Deadline(view.token(), view.ttlMs(), atMs));
      }
    }
    held.recovered();
  }

  /** The actors of a shard that was given back may live on for a while. */
  @Override
  public void outlives(Holding held) {
    actors
        .entrySet()
        .removeIf(
            entry -> {
              boolean isOf = entry.getKey().under.equals(held.ownership());
              if (isOf) {
                leaked.add(entry.getValue());
              }
              return isOf;
            });
  }

  @Override
  public void tick(long nowMs, boolean isValid) {
    for (ShardSeat seat : node.seats()) {
      Holding held = seat.holding();
      if (held != null && held.isRecovered() && (isValid || chance.nextInt(8) == 0)) {
        serve(ShardId.of(seat.shard().value()), held, nowMs, isValid);
      }
    }
    for (LockActor actor : List.copyOf(leaked)) {
      if (chance.nextInt(3) == 0) {
        actor.act(nowMs);
      }
      if (chance.nextInt(OUTLIVES_TICKS) == 0) {
        leaked.remove(actor);
      }
    }
  }

  private void serve(ShardId shard, Holding held, long nowMs, boolean isValid) {
    if (isValid) {
      keepAlive(held, nowMs);
    }
    String key = world.keyOf(shard, chance);
    LockActor actor = actorOf(held, key);
    if (world.manners().haveTwins() && chance.nextInt(40) == 0 && !world.isCalm()) {
      leaked.add(actor); // as if it were gone; another takes its place
      actors.values().remove(actor);
      actor = actorOf(held, key);
    }
    actor.act(nowMs);
    leaseOf(held).act();
    for (Map.Entry<String, Holding.Deadline> due : List.copyOf(held.deadlines().entrySet())) {
      if (nowMs >= due.getValue().atMs()) {
        actorOf(held, due.getKey()).expire(due.getValue().token());
      }
    }
  }

  private LockActor actorOf(Holding held, String key) {
    Place place = new Place(held.ownership(), key);
    LockActor actor = actors.get(place);
    if (actor == null || actor.isStopped()) {
      actor = new LockActor(world, node, held, key, chance.split());
      actors.put(place, actor);
    }
    return actor;
  }

  private LeaseActor leaseOf(Holding held) {
    LeaseActor actor = leases.get(held.ownership());
    if (actor == null || actor.isStopped()) {
      actor = new LeaseActor(world, node, held, chance.split());
      leases.put(held.ownership(), actor);
    }
    return actor;
  }

  /** Clients say that they live, and are told that their locks do. */
  private void keepAlive(Holding held, long nowMs) {
    held.deadlines()
        .replaceAll(
            (key, deadline) -> {
              if (deadline.isEnding() || !world.clients().speak(deadline.token(), node, chance)) {
                return deadline;
              }
              world.tell(each -> each.keptAlive(key, deadline.token()));
              return deadline.movedTo(nowMs + deadline.ttlMs());
            });
  }
}
