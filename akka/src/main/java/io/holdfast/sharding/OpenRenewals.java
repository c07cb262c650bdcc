package io.holdfast.sharding;

import akka.actor.typed.ActorRef;
import io.holdfast.coordination.member.Owners;
import io.holdfast.id.ShardId;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ResendSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The renewals of a node that wait for an answer of a keeper. Belongs to one actor.
 *
 * <p>A keeper answers at once for a target that it knows. An unknown target is reported dead only
 * once the log confirms that it does not exist: the keeper may belong to a former owner, or may not
 * have heard of the target yet.
 */
public final class OpenRenewals {

  /** Sends renewals to the node with this Akka address. */
  public interface Sender {
    void send(String node, List<RenewalMessage.Item> items);
  }

  /** The pause between two calls of {@link #again}. */
  public static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** The time after which nobody waits for the answer. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  /** The largest number of open renewals; one more is refused. */
  private static final int MAX_OPEN = 100_000;

  private static final class Open {
    final long number;
    final ShardId shard;
    final Renewal renewal;
    final ActorRef<Renewal.Answer> replyTo;
    final long askedAt;
    final ResendSchedule schedule;

    Open(long number, ShardId shard, RenewalMessage.Ask ask, long now) {
      this.number = number;
      this.shard = shard;
      renewal = ask.renewal();
      replyTo = ask.replyTo();
      askedAt = now;
      schedule = new ResendSchedule(now);
    }

    RenewalMessage.Item item(long now) {
      return new RenewalMessage.Item(
          number, shard, Math.max(0, (now - askedAt) / 1_000_000), renewal);
    }
  }

  private final LocalKeepers keepers;
  private final Owners owners;
  private final Function<Renewal, ShardId> shardOf;
  private final Sender sender;
  private final Map<Long, Open> open = new LinkedHashMap<>();
  private List<Open> unsent = new ArrayList<>();
  private long lastNumber;

  public OpenRenewals(
      LocalKeepers keepers, Owners owners, Function<Renewal, ShardId> shardOf, Sender sender) {
    this.keepers = keepers;
    this.owners = owners;
    this.shardOf = shardOf;
    this.sender = sender;
  }

  /**
   * Takes a renewal of this node.
   *
   * @return true if {@link #flush} must be called soon
   */
  public boolean ask(RenewalMessage.Ask ask, long now) {
    ShardId shard = shardOf.apply(ask.renewal());
    Optional<Renewal.Answer> here =
        judge(shard, ask.renewal(), 0).filter(answer -> isSure(ask.renewal(), answer));
    if (here.isPresent()) {
      ask.replyTo().tell(here.get());
      return false;
    } else if (open.size() >= MAX_OPEN) {
      ask.replyTo().tell(Renewal.Answer.OVERLOADED);
      return false;
    }
    Open asked = new Open(++lastNumber, shard, ask, now);
    open.put(asked.number, asked);
    unsent.add(asked);
    return unsent.size() == 1;
  }

  private Optional<Renewal.Answer> judge(ShardId shard, Renewal renewal, long ageMs) {
    return keepers.renew(shard, renewal, Duration.ofMillis(ageMs));
  }

  /** True if the answer needs no confirmation. A look is for display only. */
  private static boolean isSure(Renewal renewal, Renewal.Answer answer) {
    return answer.alive() || renewal instanceof Renewal.Look;
  }

  /**
   * Answers renewals that this node or another one has sent, as far as this node can judge them.
   *
   * @param tell receives the sure answers at once, and the confirmed ones later, on any thread
   */
  public void judge(List<RenewalMessage.Item> items, Consumer<List<RenewalMessage.Answered>> tell) {
    List<RenewalMessage.Answered> sure = new ArrayList<>(items.size());
    List<RenewalMessage.Item> unsure = new ArrayList<>(0);
    for (RenewalMessage.Item item : items) {
      judge(item.shard(), item.renewal(), item.ageMs())
          .ifPresent(
              answer -> {
                if (isSure(item.renewal(), answer)) {
                  sure.add(new RenewalMessage.Answered(item.number(), answer));
                } else {
                  unsure.add(item);
                }
              });
    }
    if (!sure.isEmpty()) {
      tell.accept(sure);
    }
    if (!unsure.isEmpty()) { // one round of the log for all
      var unused = keepers.confirmedDead(unsure).thenAccept(dead -> tellDead(dead, tell));
    }
  }

  private static void tellDead(
      List<RenewalMessage.Item> dead, Consumer<List<RenewalMessage.Answered>> tell) {
    if (!dead.isEmpty()) {
      tell.accept(
          dead.stream()
              .map(item -> new RenewalMessage.Answered(item.number(), Renewal.Answer.DEAD))
              .toList());
    }
  }

  /** Takes answers of another node. */
  public void answered(List<RenewalMessage.Answered> answers) {
    for (RenewalMessage.Answered answered : answers) {
      Open asked = open.remove(answered.number());
      if (asked != null) {
        asked.replyTo.tell(answered.answer());
      }
    }
  }

  /** Sends the new renewals. */
  public void flush(long now) {
    List<Open> first = unsent;
    unsent = new ArrayList<>();
    send(first, now);
  }

  /** Resends renewals that are due. */
  public void again(long now) {
    List<Open> again = new ArrayList<>();
    for (Iterator<Open> all = open.values().iterator(); all.hasNext(); ) {
      Open asked = all.next();
      if (now - asked.askedAt > MAX_WAIT.toNanos()) {
        all.remove();
      } else if (asked.schedule.isDue(now)) {
        again.add(asked);
      }
    }
    send(again, now);
  }

  /** Resends the open renewals of a shard at once, since it has a new owner. */
  public void moved(ShardId shard, long now) {
    List<Open> again = open.values().stream().filter(each -> each.shard.equals(shard)).toList();
    again.forEach(each -> each.schedule.moved(now));
    send(again, now);
  }

  private void send(List<Open> asked, long now) {
    Map<String, List<RenewalMessage.Item>> byNode = new HashMap<>();
    for (Open each : asked) {
      owners
          .of(each.shard)
          .ifPresent(
              owner ->
                  byNode
                      .computeIfAbsent(owner.akkaAddress(), node -> new ArrayList<>())
                      .add(each.item(now)));
    }
    byNode.forEach(sender::send);
  }
}
