package holdfast.server;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import akka.http.javadsl.ServerBinding;
import akka.management.javadsl.AkkaManagement;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import holdfast.config.HoldfastSettings;
import holdfast.config.ListenAddress;
import holdfast.coordination.NodeIdentity;
import holdfast.coordination.ShardOwnership;
import holdfast.coordination.StartTokens;
import holdfast.entity.LockShards;
import holdfast.grpc.GrpcServer;
import holdfast.grpc.Serving;
import holdfast.journal.PluginSettings;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** A running node: all rooms wired together, in one actor system. */
public final class Node {

  private static final Duration START_WITHIN = Duration.ofSeconds(20);
  private static final Duration DRAIN_WITHIN = Duration.ofSeconds(1);

  private final ActorSystem<Void> system;
  private final NodeIdentity identity;
  private final Path dataDirectory;
  private final ListenAddress grpc;
  private final ListenAddress management;
  private final ListenAddress cluster;

  private Node(
      ActorSystem<Void> system,
      DataDirectory data,
      HoldfastSettings settings,
      ListenAddress grpc,
      ListenAddress management) {
    this.system = system;
    this.identity = data.identity();
    this.dataDirectory = settings.dataDirectory();
    this.grpc = grpc;
    this.management = management;
    akka.actor.Address self = Cluster.get(system).selfMember().address();
    this.cluster =
        new ListenAddress(self.getHost().orElse(""), self.getPort().orElse(0).intValue());
  }

  /**
   * Starts a node and waits until it serves.
   *
   * @param config everything, Akka's settings too
   * @param random where the ids of a new data directory come from
   * @throws StartFailure if it cannot; then nothing of it is left running
   */
  public static Node start(Config config, HoldfastSettings settings, LongSupplier random)
      throws StartFailure {
    List<String> faults = PluginSettings.faults(config);
    if (!faults.isEmpty()) {
      throw new StartFailure(ExitCode.CONFIGURATION, faults);
    }
    Addresses.requireFree(settings);
    DataDirectory data = DataDirectory.open(settings.dataDirectory(), random);
    ActorSystem<Void> system = null;
    try {
      system = ActorSystem.create(Behaviors.empty(), "holdfast", config);
      return start(system, data, settings);
    } catch (StartFailure | RuntimeException e) {
      if (system != null) {
        system.terminate();
      }
      data.close();
      throw e instanceof StartFailure failure ? failure : failed(e);
    }
  }

  private static Node start(ActorSystem<Void> system, DataDirectory data, HoldfastSettings settings)
      throws StartFailure {
    system.getWhenTerminated().thenRun(data::close);
    joinAlone(system);
    ShardOwnership ownership =
        StandAlone.open(system, settings.locks(), new StartTokens(data.start()));
    LockShards locks = LockShards.start(system, settings.locks(), ownership);
    ServerBinding binding =
        await("the gRPC server", GrpcServer.bind(system, settings.grpc(), locks, data.identity()));
    stopInOrder(system, binding);
    akka.http.javadsl.model.Uri management =
        await("management", AkkaManagement.get(system).start());
    Serving.get(system).set(true);
    return new Node(
        system,
        data,
        settings,
        address(binding.localAddress()),
        new ListenAddress(management.host().address(), management.port()));
  }

  public NodeIdentity identity() {
    return identity;
  }

  public Path dataDirectory() {
    return dataDirectory;
  }

  /** Where clients connect. */
  public ListenAddress grpc() {
    return grpc;
  }

  /** Where orchestration asks. */
  public ListenAddress management() {
    return management;
  }

  /** Where other nodes connect. */
  public ListenAddress cluster() {
    return cluster;
  }

  /** Stops the node in good order. The stage completes when nothing of it runs any more. */
  public CompletionStage<Done> stop() {
    return CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.jvmExitReason());
  }

  /** Completes when the node has stopped, whatever the reason. */
  public CompletionStage<Done> whenStopped() {
    return system.getWhenTerminated();
  }

  private static void joinAlone(ActorSystem<Void> system) throws StartFailure {
    Cluster cluster = Cluster.get(system);
    CompletableFuture<Done> up = new CompletableFuture<>();
    akka.cluster.Cluster.get(system).registerOnMemberUp(() -> up.complete(Done.getInstance()));
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    await("the cluster", up);
  }

  private static void stopInOrder(ActorSystem<Void> system, ServerBinding binding) {
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeServiceUnbind(),
        "stop-serving",
        () -> {
          Serving.get(system).set(false);
          return CompletableFuture.completedFuture(Done.getInstance());
        });
    shutdown.addTask(CoordinatedShutdown.PhaseServiceUnbind(), "grpc-unbind", binding::unbind);
    shutdown.addTask(
        CoordinatedShutdown.PhaseServiceRequestsDone(),
        "grpc-drain",
        () -> binding.terminate(DRAIN_WITHIN).thenApply(done -> Done.getInstance()));
  }

  private static ListenAddress address(InetSocketAddress bound) {
    return new ListenAddress(bound.getAddress().getHostAddress(), bound.getPort());
  }

  /** Waits for a step of the start. Only the starting thread ever waits. */
  private static <T> T await(String what, CompletionStage<T> step) throws StartFailure {
    try {
      return step.toCompletableFuture()
          .orTimeout(START_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof TimeoutException) {
        throw new StartFailure(
            ExitCode.INTERNAL, what + " did not come up within " + START_WITHIN.toSeconds() + " s");
      }
      throw failed(e.getCause() == null ? e : e.getCause());
    }
  }

  private static StartFailure failed(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String reason = root.getMessage() == null ? root.toString() : root.getMessage();
    if (root instanceof ConfigException) {
      return new StartFailure(
          ExitCode.CONFIGURATION, "the configuration cannot be used: " + reason);
    }
    return new StartFailure(
        root instanceof BindException ? ExitCode.ADDRESS : ExitCode.INTERNAL,
        "the node cannot start: " + reason);
  }
}
