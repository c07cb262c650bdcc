package io.holdfast.journal;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.EventSeq;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import com.sun.management.OperatingSystemMXBean;
import com.typesafe.config.ConfigFactory;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Draft;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures how an event of 100 bytes is persisted through {@link HoldfastJournal}, without a group
 * of members: many actors, each of which persists its next event when the last one is written. Its
 * main prints processor time and throughput.
 */
public final class PersistCost {

  private static final int ACTORS = 10_000;
  private static final int SHARDS = 48;
  private static final int STATE_EVERY = 16;
  private static final byte[] EVENT = new byte[100];

  private PersistCost() {}

  /** Arguments: memory or log; how often; how many events of each actor. */
  public static void main(String[] arguments) throws InterruptedException {
    boolean log = arguments.length > 0 && arguments[0].equals("log");
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    int events = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 40;
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "cost",
            ConfigFactory.parseString("akka.actor.provider = local")
                .withFallback(ConfigFactory.load()));
    JournalStateMachine machine = new JournalStateMachine(Bounds.DEFAULT, shard -> new Epoch(1), 1);
    LogInMemory thread = new LogInMemory(machine);
    JournalAccess.get(Adapter.toClassic(system))
        .open(
            log ? overLog(thread, machine) : inMemory(),
            name -> ShardId.of(Integer.parseInt(name.value()) % SHARDS));
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    for (int round = 0; round < rounds; round++) {
      long cpu = process.getProcessCpuTime();
      long begin = System.nanoTime();
      CountDownLatch done = new CountDownLatch(ACTORS);
      for (int i = 0; i < ACTORS; i++) {
        int number = round * ACTORS + i;
        system.systemActorOf(
            Behaviors.<Integer>setup(context -> new Writer(context, number, events, done)),
            "writer-" + number,
            Props.empty());
      }
      done.await();
      double all = (double) ACTORS * events;
      System.out.printf(
          "%,.0f persists/s, %.1f us of processor each%n",
          all / (System.nanoTime() - begin) * 1e9, (process.getProcessCpuTime() - cpu) / all / 1e3);
    }
    system.terminate();
    thread.close();
  }

  private static JournalStore inMemory() {
    return new InMemoryJournalStore(Bounds.DEFAULT, shard -> new Epoch(1));
  }

  private static JournalStore overLog(LogInMemory log, JournalStateMachine machine) {
    return new RaftJournalStore(
        log,
        machine,
        1024,
        RaftJournalStore.MANY,
        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
  }

  /** Writes one event after the other, then ends. */
  private static final class Writer extends EventSourcedBehavior<Integer, byte[], Integer> {

    private final ActorContext<Integer> context;
    private final ShardId shard;
    private final int events;
    private final CountDownLatch done;

    Writer(ActorContext<Integer> context, int number, int events, CountDownLatch done) {
      super(PersistenceId.ofUniqueId(Integer.toString(number)));
      this.context = context;
      this.shard = ShardId.of(number % SHARDS);
      this.events = events;
      this.done = done;
      context.getSelf().tell(0);
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public CommandHandler<Integer, byte[], Integer> commandHandler() {
      return (state, message) -> {
        if (state == events) {
          done.countDown();
          return Effect().stop();
        }
        return Effect().persist(EVENT).thenRun(next -> context.getSelf().tell(next));
      };
    }

    @Override
    public EventHandler<Integer, byte[]> eventHandler() {
      return (state, event) -> state + 1;
    }

    @Override
    public String journalPluginId() {
      return HoldfastJournal.pluginId(shard);
    }

    @Override
    public EventAdapter<byte[], Object> eventAdapter() {
      return new Fenced(shard);
    }
  }

  private static final class Fenced extends EventAdapter<byte[], Object> {

    private final ShardId shard;
    private int count;

    Fenced(ShardId shard) {
      this.shard = shard;
    }

    @Override
    public Object toJournal(byte[] event) {
      boolean replaces = ++count % STATE_EVERY == 0;
      return new FencedEvent<>(shard, new Epoch(1), event, EVENT, replaces, Draft.NONE);
    }

    @Override
    public EventSeq<byte[]> fromJournal(Object event, String manifest) {
      return EventSeq.single((byte[]) event);
    }

    @Override
    public String manifest(byte[] event) {
      return "";
    }
  }
}
