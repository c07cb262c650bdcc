package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockCommand;
import java.util.List;
import java.util.SplittableRandom;

/** Pauses and kills clients, takes locks away from their holders, and revokes leases. */
final class Operator {

  private static final int GAP_US = 250_000;

  private final ClusterLocks locks;
  private final SplittableRandom chance;
  private final ClientProcess hand;

  Operator(ClusterLocks locks, SplittableRandom chance) {
    this.locks = locks;
    this.chance = chance;
    hand = new ClientProcess(locks, "operator", chance.split());
  }

  void begin() {
    locks.world().scheduler().after(chance.nextInt(GAP_US), "operator", this::act);
  }

  private void act() {
    if (locks.isCloseToTheEnd()) {
      hand.die();
      return;
    }
    int dice = chance.nextInt(20);
    read();
    List<LivingClient> clients = locks.clients();
    if (clients.isEmpty() || dice < 6) {
      begin();
      return;
    }
    LivingClient client = clients.get(chance.nextInt(clients.size()));
    if (dice < 12) {
      client.pause(10_000 + chance.nextInt(chance.nextBoolean() ? 100_000 : 900_000));
    } else if (dice < 15) {
      locks.world().scheduler().note(client + " dies");
      client.die();
      locks.died(client);
    } else if (dice < 17) {
      force();
    } else if (dice < 18) {
      revoke();
    } else if (dice < 19) {
      client.later(0, "closes its session", client::closeSession);
    }
    begin();
  }

  private void read() {
    ClusterTenant node = locks.anyTenant(chance);
    String key = ClusterLocks.KEYS.get(chance.nextInt(ClusterLocks.KEYS.size()));
    if (node != null) {
      node.later(chance.nextInt(2_000), "reads " + key, () -> node.read(key));
    }
  }

  private void force() {
    String key = ClusterLocks.KEYS.get(chance.nextInt(ClusterLocks.KEYS.size()));
    Holder holder = locks.book().row(key).holder();
    FencingToken token = holder == null || chance.nextBoolean() ? null : holder.token();
    hand.ask(
        key,
        new LockCommand.Force(hand.named(ContentHash.ANY + 1), token, "stuck"),
        0,
        0,
        told -> {});
  }

  private void revoke() {
    List<LeaseLife> alive = List.copyOf(locks.book().leases().keySet());
    if (!alive.isEmpty()) {
      LeaseLife lease = alive.get(chance.nextInt(alive.size()));
      hand.ask(
          lease.id(),
          new LeaseCommand.Revoke(hand.named(lease.incarnation().value()), lease.incarnation()),
          answer -> {});
    }
  }
}
