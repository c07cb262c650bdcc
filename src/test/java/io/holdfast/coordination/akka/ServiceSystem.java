package io.holdfast.coordination.akka;

import akka.Done;
import akka.actor.ActorSystem;
import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.cluster.Cluster;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.member.SystemClocks;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.SessionTimes;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A service's actor system in this JVM, which follows the log by way of others. */
final class ServiceSystem implements AutoCloseable {

  private static final Config CONFIG =
      ConfigFactory.parseString(
              """
              akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              akka.cluster.failure-detector.acceptable-heartbeat-pause = 10 minutes
              akka.cluster.roles = ["service"]
              akka.loglevel = OFF
              """)
          .withFallback(ConfigFactory.load());

  private final NodeId id;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final CoordinationReplica replica;
  final MemberCoordination coordination;
  final ActorSystem system;

  ServiceSystem(long id) {
    this.id = new NodeId(id);
    replica = new CoordinationReplica(id);
    coordination =
        new MemberCoordination(replica, SessionTimes.DEFAULT, new SystemClocks(), thread);
    system =
        ActorSystem.create(
            "holdfast",
            ActorSystemSetup.create(
                BootstrapSetup.create(CONFIG), AkkaCoordination.setup(coordination)));
  }

  /** Opens its session and joins, by these contacts. */
  CompletionStage<Done> enter(List<String> contacts) {
    return AkkaCoordination.openService(
            system, coordination, replica, id, contacts, SessionTimes.DEFAULT)
        .thenCompose(session -> AkkaCoordination.joinService(system, coordination, session));
  }

  String address() {
    return Cluster.get(system).selfMember().address().toString();
  }

  @Override
  public void close() {
    system.terminate();
    TestKit.shutdownActorSystem(system);
    thread.shutdownNow();
  }
}
