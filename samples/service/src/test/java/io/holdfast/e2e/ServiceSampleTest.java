package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.samples.billing.Billing;
import io.holdfast.samples.billing.BillingMain;
import io.holdfast.samples.billing.Ledger;
import io.holdfast.service.HoldfastService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample of a service, against a real node: two instances, of which one works at a time. */
class ServiceSampleTest {

  private static final Duration WITHIN = Duration.ofSeconds(60);

  private static ActorSystem<?> instance(String contact, Ledger ledger) {
    Config config =
        ConfigFactory.parseString("holdfast.service.contacts = \"" + contact + "\"")
            .withFallback(ConfigFactory.parseFile(SAMPLE_SETTINGS.toFile()));
    return ActorSystem.create(
        Billing.create(ledger), HoldfastService.SYSTEM, HoldfastService.setup(config));
  }

  private static final Path SAMPLE_SETTINGS =
      Path.of("src", "main", "resources", "application.conf");

  @Test
  void the_second_instance_bills_when_the_first_has_ended(@TempDir Path folder) throws Exception {
    Ledger ofFirst = new Ledger();
    Ledger ofSecond = new Ledger();
    try (NodeUnderTest node = NodeUnderTest.serving(folder)) {
      ActorSystem<?> first = instance(node.clusterAddress(), ofFirst);
      awaitBills(ofFirst);
      ActorSystem<?> second = instance(node.clusterAddress(), ofSecond);
      try {
        int before = ofFirst.bills();
        eventually("more bills", WITHIN, ofFirst::bills, bills -> bills > before + 5);
        assertEquals(0, ofSecond.bills(), "it is not its turn");
        first.terminate();
        first.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
        awaitBills(ofSecond);
      } finally {
        second.terminate();
        second.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
      }
    }
  }

  /** As a process without any class of a node. */
  @Test
  void the_sample_runs_on_its_own_class_path(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("billing.log");
    try (NodeUnderTest node = NodeUnderTest.serving(folder)) {
      ProcessBuilder sample =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("runtime.classpath", ""),
                  BillingMain.class.getName())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      sample.environment().put("HOLDFAST_SERVICE_CONTACTS", node.clusterAddress());
      Process process = sample.start();
      try {
        String told =
            eventually(
                "it sends bills, or ends",
                WITHIN,
                () -> read(log),
                text -> text.contains("sends bills under token") || !process.isAlive());
        assertTrue(process.isAlive(), told);
      } finally {
        process.destroy();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      }
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitBills(Ledger ledger) {
    eventually("bills", WITHIN, ledger::bills, bills -> bills > 0);
  }
}
