package io.holdfast.e2e;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A service in this process, as a member of the nodes' cluster. */
final class ServiceUnderTest implements AutoCloseable {

  static final Duration WITHIN = Duration.ofSeconds(60);

  final ActorSystem<Void> system;
  final HoldfastService holdfast;

  ServiceUnderTest(List<String> contacts) {
    system =
        ActorSystem.create(
            Behaviors.empty(), HoldfastService.SYSTEM, HoldfastService.setup(config(contacts)));
    try {
      holdfast = get(HoldfastService.join(system));
    } catch (RuntimeException | Error e) {
      system.terminate();
      throw e;
    }
  }

  static Config config(List<String> contacts) {
    return ConfigFactory.parseString(
        """
        akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
        akka.cluster.roles = ["orders"]
        akka.loglevel = WARNING
        akka.coordinated-shutdown.exit-jvm = off
        holdfast.service.contacts = "%s"
        """
            .formatted(String.join(",", contacts)));
  }

  static <T> T get(CompletionStage<T> stage) {
    return stage
        .toCompletableFuture()
        .copy()
        .orTimeout(WITHIN.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  @Override
  public void close() {
    system.terminate();
    get(system.getWhenTerminated());
  }
}
