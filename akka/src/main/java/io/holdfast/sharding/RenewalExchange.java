package io.holdfast.sharding;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.holdfast.coordination.member.Owners;
import io.holdfast.id.ShardId;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Exchanges renewals with other nodes, those for one node in one message. Renewals without an
 * answer are resent to the current owner of the shard.
 */
public final class RenewalExchange extends AbstractBehavior<RenewalMessage> {

  private static final String NAME = "holdfast-keepers";

  private final OpenRenewals renewals;
  private final LongSupplier nanoClock;
  private final ActorRefResolver resolver;
  private final String ownAddress;
  private final Map<String, ActorRef<RenewalMessage>> exchanges = new HashMap<>();

  public static ActorRef<RenewalMessage> start(
      ActorSystem<?> system,
      LocalKeepers keepers,
      Owners owners,
      Function<Renewal, ShardId> shardOf,
      LongSupplier nanoClock) {
    Behavior<RenewalMessage> exchange =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      timers.startTimerWithFixedDelay(
                          RenewalMessage.Tick.AGAIN,
                          RenewalMessage.Tick.AGAIN,
                          OpenRenewals.LOOK_EVERY);
                      return new RenewalExchange(context, keepers, owners, shardOf, nanoClock);
                    }));
    return system.systemActorOf(exchange, NAME, Props.empty());
  }

  private RenewalExchange(
      ActorContext<RenewalMessage> context,
      LocalKeepers keepers,
      Owners owners,
      Function<Renewal, ShardId> shardOf,
      LongSupplier nanoClock) {
    super(context);
    this.nanoClock = nanoClock;
    this.renewals = new OpenRenewals(keepers, owners, shardOf, this::send);
    this.resolver = ActorRefResolver.get(context.getSystem());
    String self = resolver.toSerializationFormat(context.getSelf());
    this.ownAddress = self.substring(0, self.indexOf("/system/"));
  }

  @Override
  public Receive<RenewalMessage> createReceive() {
    return newReceiveBuilder()
        .onMessage(RenewalMessage.Ask.class, this::onAsk)
        .onMessage(RenewalMessage.Renewals.class, this::onRenewals)
        .onMessage(RenewalMessage.Renewed.class, this::onRenewed)
        .onMessage(RenewalMessage.Moved.class, this::onMoved)
        .onMessage(RenewalMessage.Tick.class, this::onTick)
        .build();
  }

  private Behavior<RenewalMessage> onAsk(RenewalMessage.Ask ask) {
    if (renewals.ask(ask, now())) {
      getContext().getSelf().tell(RenewalMessage.Tick.FLUSH);
    }
    return this;
  }

  private Behavior<RenewalMessage> onRenewals(RenewalMessage.Renewals asked) {
    renewals.judge(
        asked.items(), answers -> asked.replyTo().tell(new RenewalMessage.Renewed(answers)));
    return this;
  }

  private Behavior<RenewalMessage> onRenewed(RenewalMessage.Renewed renewed) {
    renewals.answered(renewed.answers());
    return this;
  }

  private Behavior<RenewalMessage> onTick(RenewalMessage.Tick tick) {
    switch (tick) {
      case FLUSH -> renewals.flush(now());
      case AGAIN -> renewals.again(now());
    }
    return this;
  }

  private Behavior<RenewalMessage> onMoved(RenewalMessage.Moved moved) {
    renewals.moved(moved.shard(), now());
    return this;
  }

  private long now() {
    return nanoClock.getAsLong();
  }

  private void send(String node, List<RenewalMessage.Item> items) {
    exchange(node).tell(new RenewalMessage.Renewals(items, getContext().getSelf()));
  }

  private ActorRef<RenewalMessage> exchange(String node) {
    return node.equals(ownAddress)
        ? getContext().getSelf()
        : exchanges.computeIfAbsent(
            node, address -> resolver.resolveActorRef(address + "/system/" + NAME));
  }
}
