package io.holdfast.server;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.typed.Cluster;
import akka.http.javadsl.ServerBinding;
import com.typesafe.config.Config;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.coordination.hosting.FollowersActor;
import io.holdfast.coordination.hosting.ShardHostDuties;
import io.holdfast.coordination.member.Barrier;
import io.holdfast.grpc.GrpcServer;
import io.holdfast.grpc.admin.AdminEndpoint;
import io.holdfast.grpc.admin.AdminServer;
import io.holdfast.grpc.call.ServingState;
import io.holdfast.grpc.guard.ServerSecurity;
import io.holdfast.grpc.watch.WatchEndpoint;
import io.holdfast.hosting.LockHosting;
import io.holdfast.hosting.LockQueries;
import io.holdfast.hosting.SerialExecutor;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalAccess;
import io.holdfast.journal.PluginSettings;
import io.holdfast.sharding.LockShards;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running node: all rooms wired together, in one actor system. */
public final class HoldfastNode {

  private static final Logger log = LoggerFactory.getLogger("holdfast");

  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);

  private final ActorSystem<Void> system;
  private final Agreement agreement;
  private final CompletionStage<Done> stopping;
  private final CompletionStage<Done> stopped;
  private final Path dataDirectory;
  private final ListenAddress grpc;
  private final ListenAddress management;
  private final ListenAddress admin;

  private HoldfastNode(
      ActorSystem<Void> system,
      Agreement agreement,
      CompletionStage<Done> stopped,
      HoldfastSettings settings,
      ListenAddress grpc,
      ListenAddress management,
      ListenAddress admin) {
    this.system = system;
    this.agreement = agreement;
    this.stopping = ShutdownSequence.whenBegun(system);
    this.stopped = stopped;
    this.dataDirectory = settings.dataDirectory();
    this.grpc = grpc;
    this.management = management;
    this.admin = admin;
  }

  /**
   * Starts a node and waits until it serves; for as long as the other members of its cluster keep
   * it waiting.
   *
   * @param config everything, Akka's settings too
   * @param random the source of all randomness
   * @param failed receives the exit code if the node's log fails: the process must end at once
   * @throws StartFailure if it cannot; then nothing of it is left running
   */
  public static HoldfastNode start(
      Config config, HoldfastSettings settings, LongSupplier random, Consumer<NodeExitCode> failed)
      throws StartFailure {
    List<String> faults = PluginSettings.faults(config);
    if (!faults.isEmpty()) {
      throw new StartFailure(NodeExitCode.CONFIGURATION, faults);
    }
    refuseWitness(settings);
    Exposure.requireAllowed(settings);
    AddressCheck.requireFree(settings);
    ServerSecurity security = PemFiles.security(settings.grpcTls());
    ClusterTls tls = ClusterTls.of(settings.clusterTls());
    DataDirectory data = DataDirectory.open(settings.dataDirectory(), random);
    Agreement agreement;
    try {
      agreement = Agreement.start(settings, data, random, failed);
    } catch (StartFailure | RuntimeException e) {
      data.close();
      throw StartFailure.of(e);
    }
    ActorSystem<Void> system = null;
    try {
      system = ClusterTls.system(tls, config, ShardHostDuties.setup(agreement.coordination()));
      FollowersActor.open(Adapter.toClassic(system), agreement.coordination());
      return start(system, agreement, data, settings, security, random);
    } catch (StartFailure | RuntimeException e) {
      if (system != null) {
        system.terminate();
      }
      var unused = agreement.stop().whenComplete((done, failure) -> data.close());
      throw StartFailure.of(e).afterEnd(agreement.coordination().session().ended());
    }
  }

  private static void refuseWitness(HoldfastSettings settings) throws StartFailure {
    ListenAddress own = settings.raft().address();
    if (settings.raft().members().stream()
        .anyMatch(member -> member.witness() && member.address().equals(own))) {
      throw new StartFailure(
          NodeExitCode.CONFIGURATION,
          "holdfast.raft.members names [%s] a witness, which no node can be yet".formatted(own));
    }
  }

  private static HoldfastNode start(
      ActorSystem<Void> system,
      Agreement agreement,
      DataDirectory data,
      HoldfastSettings settings,
      @Nullable ServerSecurity security,
      LongSupplier random)
      throws StartFailure {
    JournalAccess.get(Adapter.toClassic(system))
        .open(agreement.journal(), LockShards.shardOf(settings.locks().shards()));
    ClusterJoin.awaitJoined(system, agreement, data, settings);
    LockShards locks =
        LockHosting.start(
            system,
            settings.locks(),
            agreement.coordination().shards(),
            agreement.coordination().owners(),
            agreement.journal(),
            agreement::tellLeaseEnds);
    agreement.tellMoves(locks::moved);
    OrphanedShardStarter.begin(system, agreement, locks);
    LockQueries reads =
        new LockQueries(
            agreement.journal(),
            barrier(system, agreement),
            locks,
            new SerialExecutor(system.executionContext()));
    ServerBinding binding =
        StartStep.await(
            "the gRPC server",
            GrpcServer.bind(
                system,
                settings.grpc(),
                security,
                settings.guard(),
                settings.sessions(),
                settings.locks().limits(),
                locks,
                reads,
                agreement,
                agreement::tellLeaseEnds,
                new WatchEndpoint(agreement.watches(), agreement, settings.watch())));
    ServerBinding operators =
        StartStep.await(
            "the port of administration",
            AdminServer.bind(
                system, settings.admin(), security, settings.guard(), admin(system, agreement)));
    settings
        .advertised()
        .of(settings.grpc(), binding.localAddress())
        .ifPresent(address -> agreement.coordination().session().announce(address.toString()));
    CompletionStage<Done> stopped =
        ShutdownSequence.prepare(
                system, new ShutdownSteps(system, List.of(binding, operators), agreement))
            .whenComplete((done, failure) -> data.close());
    ServerBinding management =
        StartStep.await(
            "management", Management.bind(Adapter.toClassic(system), settings.management()));
    awaitShards(agreement, locks, random);
    ServingState.get(system).begin(agreement.coordination().session()::mayAct);
    Exposure.keepTelling(system, settings);
    return new HoldfastNode(
        system,
        agreement,
        stopped,
        settings,
        address(binding.localAddress()),
        address(management.localAddress()),
        address(operators.localAddress()));
  }

  /** Reads take time, which is not to be that of the log's thread. */
  private static Barrier barrier(ActorSystem<Void> system, Agreement agreement) {
    return agreement.coordination().barrier().on(system.executionContext());
  }

  private static AdminEndpoint admin(ActorSystem<Void> system, Agreement agreement) {
    return new AdminEndpoint(
        agreement.administration(),
        agreement.copies(),
        barrier(system, agreement),
        agreement,
        () -> agreement.journal().version().leaseCount(),
        agreement.alarm()::problem,
        Version.current(),
        ServingState.get(system));
  }

  /**
   * Clients are to find that locks work from the first on. A shard that does not answer for long is
   * no reason to refuse the others.
   */
  private static void awaitShards(Agreement agreement, LockShards locks, LongSupplier random)
      throws StartFailure {
    ShardQuestions questions = new ShardQuestions(locks, random);
    FirstAnswers answers = FirstAnswers.begin(ShardId.range(locks.shards()), questions::ask);
    CompletableFuture<String> ended =
        agreement.coordination().session().ended().toCompletableFuture();
    try {
      var unused =
          CompletableFuture.anyOf(answers.all(), ended)
              .orTimeout(ANSWERS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
              .join();
    } catch (CompletionException e) {
      log.warn(
          "serves, though shards {} have not answered",
          answers.missing().stream().map(ShardId::value).toList());
    } finally {
      answers.stop();
    }
    if (ended.isDone()) {
      throw new StartFailure(
          NodeExitCode.CLUSTER, "the session of this node ended while it started: " + ended.join());
    }
  }

  public NodeIdentity identity() {
    return agreement.identity();
  }

  public Path dataDirectory() {
    return dataDirectory;
  }

  /** The address for clients. */
  public ListenAddress grpc() {
    return grpc;
  }

  /** The address of management, for orchestration. */
  public ListenAddress management() {
    return management;
  }

  /** The address for operators. */
  public ListenAddress admin() {
    return admin;
  }

  /** The address for the other nodes' actors. */
  public ListenAddress cluster() {
    akka.actor.Address self = Cluster.get(system).selfMember().address();
    return new ListenAddress(self.getHost().orElse(""), self.getPort().orElse(0).intValue());
  }

  /** The address for the other members of the log. */
  public ListenAddress raft() {
    return agreement.member().address();
  }

  /** Stops the node in good order. The stage completes when nothing of it runs any more. */
  public CompletionStage<Done> stop() {
    return CoordinatedShutdown.get(system)
        .runAll(CoordinatedShutdown.jvmExitReason())
        .thenCompose(done -> stopped);
  }

  /** Completes when it begins to stop, for whatever reason. */
  CompletionStage<Done> whenStopping() {
    return stopping;
  }

  /** Completes when the node has stopped, whatever the reason. */
  public CompletionStage<Done> whenStopped() {
    return stopped;
  }

  private static ListenAddress address(InetSocketAddress bound) {
    return new ListenAddress(bound.getAddress().getHostAddress(), bound.getPort());
  }
}
