package io.holdfast.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks what a service loads with Holdfast, as the build resolves it. */
class ServiceClasspathTest {

  /** Libraries that serve, store or manage: only nodes need them. */
  private static final List<String> FORBIDDEN =
      List.of(
          "akka-http",
          "akka-grpc",
          "akka-management",
          "akka-persistence-",
          "cassandra",
          "grpc-",
          "jctools",
          "logback",
          "netty",
          "leveldb",
          "lmdb");

  /** Rooms of nodes alone. */
  private static final List<String> ROOMS =
      List.of(
          "raft",
          "journal",
          "keeper",
          "entity",
          "hosting",
          "watch",
          "grpc",
          "server",
          "v1",
          "coordination/hosting",
          "lock/rules",
          "lease/rules");

  private final List<Path> loaded =
      Stream.of(System.getProperty("runtime.classpath", "").split(File.pathSeparator, -1))
          .map(Path::of)
          .toList();

  @Test
  void a_service_brings_no_server_and_no_store() {
    List<String> jars =
        loaded.stream()
            .map(entry -> String.valueOf(entry.getFileName()))
            .filter(name -> name.endsWith(".jar"))
            .toList();
    assertTrue(jars.stream().anyMatch(jar -> jar.startsWith("akka-cluster_")), jars::toString);
    assertEquals(
        List.of(),
        jars.stream().filter(jar -> FORBIDDEN.stream().anyMatch(jar::startsWith)).toList());
  }

  @Test
  void a_service_brings_no_room_of_nodes() {
    List<Path> ours =
        loaded.stream().filter(entry -> Files.isDirectory(entry.resolve("io/holdfast"))).toList();
    assertTrue(
        ours.stream().anyMatch(entry -> Files.isDirectory(entry.resolve("io/holdfast/service"))),
        ours::toString);
    assertEquals(
        List.of(),
        ROOMS.stream()
            .filter(
                room ->
                    ours.stream()
                        .anyMatch(entry -> Files.isDirectory(entry.resolve("io/holdfast/" + room))))
            .toList());
  }

  @Test
  void a_service_needs_to_set_its_contacts_only() {
    Config none = ConfigFactory.parseString("akka.remote.artery.canonical.port = 0");
    assertThrows(IllegalArgumentException.class, () -> HoldfastService.setup(none));
    Config some =
        none.withFallback(ConfigFactory.parseString("holdfast.service.contacts = [\"a:1\"]"));
    assertFalse(HoldfastService.setup(some).get(ServiceParts.class).isEmpty());
  }
}
