package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that a client can learn the contract from a node. */
class ReflectionTest {

  private static ClusterUnderTest cluster;

  @BeforeAll
  static void start() {
    cluster = ClusterUnderTest.shared();
  }

  @Test
  void the_services_are_listed_by_reflection() {
    List<String> services = Reflected.services(cluster.connect(1));
    assertTrue(services.contains("holdfast.v1.LockService"), services::toString);
    assertTrue(services.contains("grpc.health.v1.Health"), services::toString);
  }

  @Test
  void reflection_serves_each_file_of_the_contract() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src", "main", "protobuf", "holdfast", "v1"))) {
      assertEquals(
          files
              .map(file -> "holdfast/v1/" + file.getFileName())
              .filter(name -> name.endsWith(".proto") && !name.endsWith("/admin_service.proto"))
              .collect(Collectors.toCollection(TreeSet::new)),
          Reflected.files(cluster.connect(1), "holdfast.v1.LockService"));
    }
  }
}
