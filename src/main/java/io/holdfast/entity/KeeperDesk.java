package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.holdfast.coordination.Owners;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * The exchange of signs of life with other nodes: those for one node go together. What was not
 * answered is sent again to whoever owns the shard by then.
 */
final class KeeperDesk extends AbstractBehavior<KeeperMessage> {

  private static final String NAME = "holdfast-keepers";

  private final OpenRenewals renewals;
  private final LongSupplier nanoClock;
  private final ActorRefResolver resolver;
  private final String ownAddress;
  private final Map<String, ActorRef<KeeperMessage>> desks = new HashMap<>();

  static ActorRef<KeeperMessage> start(
      ActorSystem<?> system,
      ShardKeeping keepers,
      Owners owners,
      ToIntFunction<Renewal> shardOf,
      LongSupplier nanoClock) {
    Behavior<KeeperMessage> desk =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      timers.startTimerWithFixedDelay(
                          KeeperMessage.Tick.AGAIN,
                          KeeperMessage.Tick.AGAIN,
                          OpenRenewals.LOOK_EVERY);
                      return new KeeperDesk(context, keepers, owners, shardOf, nanoClock);
                    }));
    return system.systemActorOf(desk, NAME, Props.empty());
  }

  private KeeperDesk(
      ActorContext<KeeperMessage> context,
      ShardKeeping keepers,
      Owners owners,
      ToIntFunction<Renewal> shardOf,
      LongSupplier nanoClock) {
    super(context);
    this.nanoClock = nanoClock;
    this.renewals = new OpenRenewals(keepers, owners, shardOf, this::send);
    this.resolver = ActorRefResolver.get(context.getSystem());
    String self = resolver.toSerializationFormat(context.getSelf());
    this.ownAddress = self.substring(0, self.indexOf("/system/"));
  }

  @Override
  public Receive<KeeperMessage> createReceive() {
    return newReceiveBuilder()
        .onMessage(KeeperMessage.Ask.class, this::onAsk)
        .onMessage(KeeperMessage.Renewals.class, this::onRenewals)
        .onMessage(KeeperMessage.Renewed.class, this::onRenewed)
        .onMessage(KeeperMessage.Moved.class, this::onMoved)
        .onMessage(KeeperMessage.Tick.class, this::onTick)
        .build();
  }

  private Behavior<KeeperMessage> onAsk(KeeperMessage.Ask ask) {
    if (renewals.ask(ask, now())) {
      getContext().getSelf().tell(KeeperMessage.Tick.FLUSH);
    }
    return this;
  }

  private Behavior<KeeperMessage> onRenewals(KeeperMessage.Renewals asked) {
    renewals.judge(
        asked.items(), answers -> asked.replyTo().tell(new KeeperMessage.Renewed(answers)));
    return this;
  }

  private Behavior<KeeperMessage> onRenewed(KeeperMessage.Renewed renewed) {
    renewals.answered(renewed.answers());
    return this;
  }

  private Behavior<KeeperMessage> onTick(KeeperMessage.Tick tick) {
    switch (tick) {
      case FLUSH -> renewals.flush();
      case AGAIN -> renewals.again(now());
    }
    return this;
  }

  private Behavior<KeeperMessage> onMoved(KeeperMessage.Moved moved) {
    renewals.moved(moved.shard(), now());
    return this;
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  private void send(String node, List<KeeperMessage.Item> items) {
    desk(node).tell(new KeeperMessage.Renewals(items, getContext().getSelf()));
  }

  private ActorRef<KeeperMessage> desk(String node) {
    return node.equals(ownAddress)
        ? getContext().getSelf()
        : desks.computeIfAbsent(
            node, address -> resolver.resolveActorRef(address + "/system/" + NAME));
  }
}
