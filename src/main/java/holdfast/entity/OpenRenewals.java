package holdfast.entity;

import akka.actor.typed.ActorRef;
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
 * The signs of life that a node passes on to whoever keeps them, and has no answer to yet. Belongs
 * to one actor.
 */
final class OpenRenewals {

  /** Brings signs of life to the node that has this Akka address. */
  interface Post {
    void send(String node, List<KeeperMessage.Item> items);
  }

  /** After this time a sign of life is sent again. */
  static final Duration AGAIN_AFTER = Duration.ofMillis(250);

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

  private final ShardKeeping keepers;
  private final Owners owners;
  private final ToIntFunction<Renewal> shardOf;
  private final Post post;
  private final Map<Long, Open> open = new LinkedHashMap<>();
  private List<Open> fresh = new ArrayList<>();
  private long lastNumber;

  OpenRenewals(ShardKeeping keepers, Owners owners, ToIntFunction<Renewal> shardOf, Post post) {
    this.keepers = keepers;
    this.owners = owners;
    this.shardOf = shardOf;
    this.post = post;
  }

  /**
   * A sign of life came from this node.
   *
   * @return whether to {@link #flush} soon
   */
  boolean ask(KeeperMessage.Ask ask) {
    int shard = shardOf.applyAsInt(ask.renewal());
    Optional<Renewal.Answer> here = judge(shard, ask.renewal());
    if (here.isPresent()) {
      ask.replyTo().tell(here.get());
      return false;
    } else if (open.size() >= MAX_OPEN) {
      ask.replyTo().tell(Renewal.Answer.OVERLOADED);
      return false;
    }
    long number = ++lastNumber;
    Open asked = new Open(new KeeperMessage.Item(number, shard, ask.renewal()), ask.replyTo());
    open.put(number, asked);
    fresh.add(asked);
    return fresh.size() == 1;
  }

  private Optional<Renewal.Answer> judge(int shard, Renewal renewal) {
    return keepers.of(shard).flatMap(keeper -> keeper.renew(renewal));
  }

  /** What this node says to signs of life from another one, as far as it can say something. */
  List<KeeperMessage.Answered> judge(List<KeeperMessage.Item> items) {
    List<KeeperMessage.Answered> answers = new ArrayList<>(items.size());
    for (KeeperMessage.Item item : items) {
      judge(item.shard(), item.renewal())
          .ifPresent(answer -> answers.add(new KeeperMessage.Answered(item.number(), answer)));
    }
    return answers;
  }

  /** Another node has said what came of some. */
  void answered(List<KeeperMessage.Answered> answers) {
    for (KeeperMessage.Answered answered : answers) {
      Open asked = open.remove(answered.number());
      if (asked != null) {
        asked.replyTo.tell(answered.answer());
      }
    }
  }

  /** Sends what came since the last time. */
  void flush() {
    List<Open> now = fresh;
    fresh = new ArrayList<>();
    send(now);
  }

  /** Sends again what has no answer. */
  void again() {
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
    byNode.forEach(post::send);
  }
}
