package holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import holdfast.coordination.Owners;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Where a node's signs of life go out, and those of others come in: those for one node go together.
 * What was not answered is sent again to whoever owns the shard by then.
 */
final class KeeperDesk extends AbstractBehavior<KeeperMessage> {

  private static final String NAME = "holdfast-keepers";

  /** After this time a sign of life is sent again. */
  private static final Duration AGAIN_AFTER = Duration.ofMillis(250);

  /** After so many times nobody waits for the answer any more. */
  private static final int MAX_TIMES = 40;

  /** How many may be without an answer; one more is refused. */
  private static final int MAX_OPEN = 100_000;

  private static final class Open {
    final KeeperMessage.Item item;
    final ActorRef<Renewal.Answer> replyTo;
    int times;

    Open(KeeperMessage.Item item, ActorRef<Renewal.Answer> replyTo) {
      this.item = item;
      this.replyTo = replyTo;
    }
  }

  private final Keepers keepers;
  private final Owners owners;
  private final ToIntFunction<Renewal> shardOf;
  private final ActorRefResolver resolver;
  private final String ownAddress;
  private final Map<Long, Open> open = new LinkedHashMap<>();
  private final Map<String, ActorRef<KeeperMessage>> desks = new HashMap<>();
  private List<Open> fresh = new ArrayList<>();
  private long lastNumber;

  static ActorRef<KeeperMessage> start(
      ActorSystem<?> system, Keepers keepers, Owners owners, ToIntFunction<Renewal> shardOf) {
    Behavior<KeeperMessage> desk =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      timers.startTimerWithFixedDelay(
                          KeeperMessage.Tick.AGAIN, KeeperMessage.Tick.AGAIN, AGAIN_AFTER);
                      return new KeeperDesk(context, keepers, owners, shardOf);
                    }));
    return system.systemActorOf(desk, NAME, Props.empty());
  }

  private KeeperDesk(
      ActorContext<KeeperMessage> context,
      Keepers keepers,
      Owners owners,
      ToIntFunction<Renewal> shardOf) {
    super(context);
    this.keepers = keepers;
    this.owners = owners;
    this.shardOf = shardOf;
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
        .onMessage(KeeperMessage.Tick.class, this::onTick)
        .build();
  }

  private Behavior<KeeperMessage> onAsk(KeeperMessage.Ask ask) {
    int shard = shardOf.applyAsInt(ask.renewal());
    Optional<Renewal.Answer> here =
        keepers.of(shard).flatMap(keeper -> keeper.renew(ask.renewal()));
    if (here.isPresent()) {
      ask.replyTo().tell(here.get());
    } else if (open.size() < MAX_OPEN) {
      long number = ++lastNumber;
      Open asked = new Open(new KeeperMessage.Item(number, shard, ask.renewal()), ask.replyTo());
      open.put(number, asked);
      if (fresh.isEmpty()) {
        getContext().getSelf().tell(KeeperMessage.Tick.FLUSH);
      }
      fresh.add(asked);
    } else {
      ask.replyTo().tell(Renewal.Answer.OVERLOADED);
    }
    return this;
  }

  private Behavior<KeeperMessage> onRenewals(KeeperMessage.Renewals renewals) {
    List<KeeperMessage.Answered> answers = new ArrayList<>(renewals.items().size());
    for (KeeperMessage.Item item : renewals.items()) {
      keepers
          .of(item.shard())
          .flatMap(keeper -> keeper.renew(item.renewal()))
          .ifPresent(answer -> answers.add(new KeeperMessage.Answered(item.number(), answer)));
    }
    if (!answers.isEmpty()) {
      renewals.replyTo().tell(new KeeperMessage.Renewed(answers));
    }
    return this;
  }

  private Behavior<KeeperMessage> onRenewed(KeeperMessage.Renewed renewed) {
    for (KeeperMessage.Answered answered : renewed.answers()) {
      Open asked = open.remove(answered.number());
      if (asked != null) {
        asked.replyTo.tell(answered.answer());
      }
    }
    return this;
  }

  private Behavior<KeeperMessage> onTick(KeeperMessage.Tick tick) {
    if (tick == KeeperMessage.Tick.FLUSH) {
      List<Open> now = fresh;
      fresh = new ArrayList<>();
      send(now);
      return this;
    }
    List<Open> again = new ArrayList<>();
    for (Iterator<Open> all = open.values().iterator(); all.hasNext(); ) {
      Open asked = all.next();
      if (asked.times > MAX_TIMES) {
        all.remove();
      } else if (asked.times > 0) {
        again.add(asked);
      }
    }
    send(again);
    return this;
  }

  private void send(List<Open> asked) {
    Map<String, List<KeeperMessage.Item>> byNode = new HashMap<>();
    for (Open each : asked) {
      each.times++;
      owners
          .of(each.item.shard())
          .ifPresent(
              owner ->
                  byNode
                      .computeIfAbsent(owner.akkaAddress(), node -> new ArrayList<>())
                      .add(each.item));
    }
    byNode.forEach(
        (node, items) ->
            desk(node).tell(new KeeperMessage.Renewals(items, getContext().getSelf())));
  }

  private ActorRef<KeeperMessage> desk(String node) {
    return node.equals(ownAddress)
        ? getContext().getSelf()
        : desks.computeIfAbsent(
            node, address -> resolver.resolveActorRef(address + "/system/" + NAME));
  }
}
