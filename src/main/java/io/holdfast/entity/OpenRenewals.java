package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import io.holdfast.coordination.Owners;
import io.holdfast.journal.state.JournalVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * The signs of life that a node passes on to whoever keeps them, and has no answer to yet. Belongs
 * to one actor.
 *
 * <p>What a keeper knows lives is told at once. What it does not know is told to be dead only once
 * the log confirms that it is not there: a keeper may be that of an owner who is one no more, or
 * have heard of it not yet.
 */
final class OpenRenewals {

  /** Brings signs of life to the node that has this Akka address. */
  interface Post {
    void send(String node, List<KeeperMessage.Item> items);
  }

  /** How often to look for what is to be sent {@link #again}. */
  static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** After this time nobody waits for the answer any more. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  /** How many may be without an answer; one more is refused. */
  private static final int MAX_OPEN = 100_000;

  private static final class Open {
    final KeeperMessage.Item item;
    final ActorRef<Renewal.Answer> replyTo;
    final long askedAt;
    final Resending resending;

    Open(KeeperMessage.Item item, ActorRef<Renewal.Answer> replyTo, long now) {
      this.item = item;
      this.replyTo = replyTo;
      askedAt = now;
      resending = new Resending(now);
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
  boolean ask(KeeperMessage.Ask ask, long now) {
    int shard = shardOf.applyAsInt(ask.renewal());
    Optional<Renewal.Answer> here =
        judge(shard, ask.renewal()).filter(answer -> isSure(ask.renewal(), answer));
    if (here.isPresent()) {
      ask.replyTo().tell(here.get());
      return false;
    } else if (open.size() >= MAX_OPEN) {
      ask.replyTo().tell(Renewal.Answer.OVERLOADED);
      return false;
    }
    long number = ++lastNumber;
    Open asked = new Open(new KeeperMessage.Item(number, shard, ask.renewal()), ask.replyTo(), now);
    open.put(number, asked);
    fresh.add(asked);
    return fresh.size() == 1;
  }

  private Optional<Renewal.Answer> judge(int shard, Renewal renewal) {
    return keepers.of(shard).flatMap(keeper -> keeper.renew(renewal));
  }

  /** A look is only for showing. */
  private static boolean isSure(Renewal renewal, Renewal.Answer answer) {
    return answer.alive() || renewal instanceof Renewal.Look;
  }

  /**
   * Judges signs of life that a node has sent, this one or another, as far as something can be said
   * of them.
   *
   * @param tell is given what is sure at once, and later what the log has confirmed, on any thread
   */
  void judge(List<KeeperMessage.Item> items, Consumer<List<KeeperMessage.Answered>> tell) {
    List<KeeperMessage.Answered> sure = new ArrayList<>(items.size());
    List<KeeperMessage.Item> unsure = new ArrayList<>(0);
    for (KeeperMessage.Item item : items) {
      judge(item.shard(), item.renewal())
          .ifPresent(
              answer -> {
                if (isSure(item.renewal(), answer)) {
                  sure.add(new KeeperMessage.Answered(item.number(), answer));
                } else {
                  unsure.add(item);
                }
              });
    }
    if (!sure.isEmpty()) {
      tell.accept(sure);
    }
    if (!unsure.isEmpty()) { // one round of the log for all
      var unused = keepers.confirmed().thenAccept(version -> tellDead(version, unsure, tell));
    }
  }

  private static void tellDead(
      JournalVersion version,
      List<KeeperMessage.Item> unsure,
      Consumer<List<KeeperMessage.Answered>> tell) {
    List<KeeperMessage.Answered> dead =
        unsure.stream()
            .filter(item -> !Applied.has(version, item.shard(), item.renewal()))
            .map(item -> new KeeperMessage.Answered(item.number(), Renewal.Answer.DEAD))
            .toList();
    if (!dead.isEmpty()) {
      tell.accept(dead);
    }
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

  /** Sends again what has no answer, and is due. */
  void again(long now) {
    List<Open> again = new ArrayList<>();
    for (Iterator<Open> all = open.values().iterator(); all.hasNext(); ) {
      Open asked = all.next();
      if (now - asked.askedAt > MAX_WAIT.toNanos()) {
        all.remove();
      } else if (asked.resending.isDue(now)) {
        again.add(asked);
      }
    }
    send(again);
  }

  /** A shard has come to another owner: what has no answer there is sent again at once. */
  void moved(int shard, long now) {
    List<Open> again = open.values().stream().filter(each -> each.item.shard() == shard).toList();
    again.forEach(each -> each.resending.moved(now));
    send(again);
  }

  private void send(List<Open> asked) {
    Map<String, List<KeeperMessage.Item>> byNode = new HashMap<>();
    for (Open each : asked) {
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
