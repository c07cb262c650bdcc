package io.holdfast.coordination.akka;

import static io.holdfast.fixtures.Eventually.eventually;

import akka.Done;
import akka.actor.ActorSystem;
import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.cluster.Cluster;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.RealClocks;
import io.holdfast.coordination.hosting.ShardHostDuties;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.raft.core.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import scala.concurrent.ExecutionContextExecutor;

/**
 * Actor systems in this JVM, each with its node's coordination, over one log in memory. The first
 * of them leads the log. Akka's own failure detector is as good as off.
 */
public final class AgreedSystems implements AutoCloseable {

  public static final Duration WITHIN = Duration.ofSeconds(20);

  private static final int THREADS_TO_BLOCK = 64;

  private static final Config CONFIG =
      ConfigFactory.parseString(
              """
              akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              akka.cluster.failure-detector.acceptable-heartbeat-pause = 10 minutes
              akka.loglevel = OFF
              """)
          .withFallback(ConfigFactory.load());

  /** One node. */
  public static final class Place {
    public final MemberId id;
    public final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    public final NodeCoordination node;
    public final ActorSystem system;
    private final SessionTimes times;

    Place(MemberId id, CoordinationMachine machine, SessionTimes times) {
      this.id = id;
      this.times = times;
      node = new NodeCoordination(machine, times, new RealClocks(), thread);
      system =
          ActorSystem.create(
              "holdfast",
              ActorSystemSetup.create(BootstrapSetup.create(CONFIG), ShardHostDuties.setup(node)));
    }

    public Cluster cluster() {
      return Cluster.get(system);
    }

    public CoordinationCommand.OpenSession opening() {
      return ClusterEntry.opening(
          system,
          new NodeId(id.value()),
          /* incarnation= */ 1,
          Set.of(NodeRole.VOTER, NodeRole.SHARD_HOST),
          times.ttlMs(),
          OneLog.TERMS,
          /* stateCapacity= */ 0);
    }

    public SessionId open() {
      return get(node.session().open(opening()));
    }

    public CompletionStage<Done> enter() {
      return ClusterEntry.begin(system, node, open());
    }

    public CoordinationVerdict propose(CoordinationCommand command) {
      return get(node.propose(command)).orElseThrow();
    }

    public Optional<Session> session(SessionId id) {
      return node.read(state -> state.session(id));
    }

    /** The status of the other's actor system, as this node sees it. */
    public Optional<MemberStatus> finds(Place other) {
      for (Member member : cluster().state().getMembers()) {
        if (member.uniqueAddress().equals(other.cluster().selfUniqueAddress())) {
          return Optional.of(member.status());
        }
      }
      return Optional.empty();
    }

    /** Ends the other's session in the log, as a leader does whose clock says so. */
    public void expire(Place other) {
      SessionId ending = Objects.requireNonNull(other.node.session().live());
      eventually(
          "expired",
          WITHIN,
          () ->
              session(ending)
                  .map(found -> new CoordinationCommand.ExpireSession(ending, found.renewal()))
                  .map(this::propose),
          verdict -> verdict.isEmpty() || !verdict.get().ended().isEmpty());
    }

    /** All threads of its actor system stand still until the latch says otherwise. */
    public CountDownLatch freeze() {
      CountDownLatch thaws = new CountDownLatch(1);
      for (String name :
          List.of("akka.actor.default-dispatcher", "akka.actor.internal-dispatcher")) {
        ExecutionContextExecutor dispatcher = system.dispatchers().lookup(name);
        for (int i = 0; i < THREADS_TO_BLOCK; i++) {
          dispatcher.execute(() -> await(thaws));
        }
      }
      return thaws;
    }

    private static void await(CountDownLatch thaws) {
      try {
        thaws.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  public final OneLog log = new OneLog();
  private final List<Place> places = new ArrayList<>();

  public AgreedSystems(int size) {
    this(size, SessionTimes.DEFAULT);
  }

  public AgreedSystems(int size, SessionTimes times) {
    for (int i = 1; i <= size; i++) {
      CoordinationMachine machine = new CoordinationMachine(i);
      MemberId id = new MemberId(i);
      log.add(id, machine);
      places.add(new Place(id, machine, times));
    }
    log.begin();
    places.forEach(place -> place.node.begin(log.of(place.id)));
  }

  public Place place(int number) {
    return places.get(number);
  }

  /** All of these come in, one after the other, and each finds all. */
  public void enter(int... numbers) {
    for (int number : numbers) {
      get(place(number).enter());
    }
    for (int of : numbers) {
      for (int other : numbers) {
        awaitUp(of, other);
      }
    }
  }

  public void awaitUp(int of, int other) {
    eventually(
        of + " finds " + other + " up",
        WITHIN,
        () -> place(of).finds(place(other)),
        status -> status.equals(Optional.of(MemberStatus.up())));
  }

  public void awaitGone(int of, int other) {
    eventually(
        of + " finds " + other + " removed",
        WITHIN,
        () -> place(of).finds(place(other)),
        Optional::isEmpty);
  }

  public void awaitEnd(int number) {
    get(place(number).system.getWhenTerminated());
  }

  public static <T> T get(CompletionStage<T> stage) {
    return stage
        .toCompletableFuture()
        .copy()
        .orTimeout(WITHIN.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  @Override
  public void close() {
    places.forEach(place -> place.system.terminate());
    places.forEach(place -> TestKit.shutdownActorSystem(place.system));
    places.forEach(place -> place.thread.shutdownNow());
    log.close();
  }
}
