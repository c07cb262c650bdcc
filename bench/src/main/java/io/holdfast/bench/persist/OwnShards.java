package io.holdfast.bench.persist;

import akka.actor.ActorSystem;
import akka.actor.BootstrapSetup;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalAccess;
import io.holdfast.server.Agreement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** A node's writers, in an actor system of its own, in shards that the node owns by the log. */
final class OwnShards {

  private static final int WITHIN_SECONDS = 60;

  private final ActorSystem system;
  private final NodeCoordination coordination;
  private final int shards;
  private final Bytes bytes;
  private final AtomicLongArray confirmed;
  private List<ActorRef<WriterMessage>> writers = List.of();

  private OwnShards(
      ActorSystem system, NodeCoordination coordination, int shards, int writers, int bytes) {
    this.system = system;
    this.coordination = coordination;
    this.shards = shards;
    this.bytes = Bytes.of(new byte[bytes]);
    confirmed = new AtomicLongArray(writers);
  }

  /** Acquires all shards and starts the writers. */
  static OwnShards open(Config config, Agreement agreement, int shards, int writers, int bytes) {
    ActorSystem system = ActorSystem.create("persist", BootstrapSetup.create(local(config)));
    JournalAccess.get(system).open(agreement.journal(), id -> shardOf(id.value(), shards));
    for (ShardId shard : ShardId.range(shards)) {
      boolean own =
          await(agreement.coordination().shards().acquire(shard, lost -> {}).toCompletableFuture());
      if (!own) {
        throw new IllegalStateException("shard [" + shard.value() + "] cannot be had");
      }
    }
    OwnShards opened = new OwnShards(system, agreement.coordination(), shards, writers, bytes);
    opened.start();
    opened.count();
    return opened;
  }

  /** The node's own settings, without the others' actor systems. */
  private static Config local(Config config) {
    return ConfigFactory.parseString(
            """
            akka.actor.provider = local
            akka.actor.serializers.notes = "io.holdfast.bench.persist.NoteSerializer"
            akka.actor.serialization-bindings {
              "io.holdfast.bench.persist.Note" = notes
              "io.holdfast.bench.persist.Tally" = notes
            }
            """)
        .withFallback(config);
  }

  private static ShardId shardOf(String id, int shards) {
    return ShardId.of(Math.floorMod(id.hashCode(), shards));
  }

  private void start() {
    List<ActorRef<WriterMessage>> started = new ArrayList<>();
    for (int i = 0; i < confirmed.length(); i++) {
      OwnedShard owned = coordination.shards().of(shardOf(Writer.id(i), shards)).orElseThrow();
      started.add(Adapter.spawnAnonymous(system, Writer.create(i, bytes, owned)));
    }
    writers = started;
  }

  /** Turns over the first writers, not begun. */
  Turns turns(int among, int count) {
    return new Turns(writers.subList(0, among), confirmed, count);
  }

  /** Restarts all writers, and compares their recovered notes with the confirmed ones. */
  String recount() {
    List<CompletableFuture<Long>> ends = new ArrayList<>();
    for (ActorRef<WriterMessage> writer : writers) {
      CompletableFuture<Long> end = new CompletableFuture<>();
      ends.add(end);
      writer.tell(new WriterMessage.Stop(end));
    }
    ends.forEach(OwnShards::await);
    start();
    List<Long> counts = count();
    long notes = 0;
    int wrong = 0;
    for (int i = 0; i < counts.size(); i++) {
      notes += counts.get(i);
      wrong += counts.get(i) == confirmed.get(i) ? 0 : 1;
    }
    return "notes=%d wrong=%d".formatted(notes, wrong);
  }

  private List<Long> count() {
    List<CompletableFuture<Long>> answers = new ArrayList<>();
    for (ActorRef<WriterMessage> writer : writers) {
      CompletableFuture<Long> answer = new CompletableFuture<>();
      answers.add(answer);
      writer.tell(new WriterMessage.Count(answer));
    }
    return answers.stream().map(OwnShards::await).toList();
  }

  static <T> T await(CompletableFuture<T> step) {
    return step.copy().orTimeout(WITHIN_SECONDS, TimeUnit.SECONDS).join();
  }
}
