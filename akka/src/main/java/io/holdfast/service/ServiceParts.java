package io.holdfast.service;

import akka.actor.setup.Setup;
import akka.actor.typed.ActorSystem;
import io.holdfast.config.member.ServiceSettings;
import io.holdfast.coordination.akka.AkkaCoordination;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.member.SystemClocks;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * The parts of a service that exist before its actor system, which finds its coordination among
 * them.
 */
final class ServiceParts extends Setup {

  private final ServiceSettings settings;
  private final LongSupplier random;
  private final ScheduledExecutorService thread;
  private final CoordinationReplica replica;
  private final SessionTimes times;
  private final MemberCoordination coordination;

  private ServiceParts(ServiceSettings settings, LongSupplier random) {
    this.settings = settings;
    this.random = random;
    thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "holdfast-coordination");
              made.setDaemon(true);
              return made;
            });
    replica = new CoordinationReplica(random.getAsLong());
    times =
        new SessionTimes(
            Math.toIntExact(settings.session().ttl().toMillis()),
            Math.toIntExact(settings.session().renewal().toMillis()));
    coordination = new MemberCoordination(replica, times, new SystemClocks(), thread);
  }

  static ServiceParts of(ServiceSettings settings) {
    return new ServiceParts(settings, new SecureRandom()::nextLong);
  }

  ServiceSettings settings() {
    return settings;
  }

  MemberCoordination coordination() {
    return coordination;
  }

  LongSupplier random() {
    return random;
  }

  /** Opens the session. A service has no directory: each of its processes is a new member. */
  CompletionStage<SessionId> open(akka.actor.ActorSystem system) {
    long self = Math.max(1, random.getAsLong() & Long.MAX_VALUE);
    List<String> contacts =
        settings.contacts().stream()
            .map(contact -> "akka://%s@%s".formatted(system.name(), contact))
            .toList();
    return AkkaCoordination.openService(
        system, coordination, replica, new NodeId(self), contacts, times);
  }

  /** Ends its thread with the actor system. */
  void endWith(ActorSystem<?> system) {
    system.getWhenTerminated().whenComplete((done, failure) -> thread.shutdown());
  }
}
