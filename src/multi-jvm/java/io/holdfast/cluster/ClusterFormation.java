package io.holdfast.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockStatus;
import io.holdfast.server.HoldfastNode;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Three JVMs form one cluster, and a lock that one of them runs excludes the clients of all. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ClusterFormation extends SeveralJvms {

  private static final String KEY = "orders/42";

  ClusterFormation() {
    super(new ThreeNodes());
  }

  @Override
  public int initialParticipants() {
    return 3;
  }

  @Test
  @Order(1)
  void three_jvms_form_one_cluster() throws Exception {
    HoldfastNode started = startNode();
    Files.writeString(
        SHARED.resolve(myself().name()), Long.toString(started.identity().clusterId()));
    barrier("all serve");
    List<String> clusters = new ArrayList<>();
    for (String name : nodes()) {
      clusters.add(Files.readString(SHARED.resolve(name)));
    }
    assertEquals(1, clusters.stream().distinct().count(), clusters::toString);
  }

  @Test
  @Order(2)
  void a_lock_excludes_the_clients_of_all_nodes() throws Exception {
    HoldfastNode here = Objects.requireNonNull(node);
    try (HoldfastClient client = HoldfastClient.connect(here.grpc().toString())) {
      Optional<Grant> grant = client.lock(KEY).withTtl(Duration.ofMinutes(5)).tryAcquire();
      barrier("all asked");
      LockStatus status = client.get(KEY);
      assertEquals(1, status.holders().size());
      long token = status.holders().get(0).fencingToken();
      assertTrue(grant.isEmpty() || grant.get().fencingToken() == token);
      Files.writeString(
          SHARED.resolve(myself().name() + "-saw"), token + (grant.isPresent() ? " mine" : ""));
      barrier("all have looked");
      List<String> seen = new ArrayList<>();
      for (String name : nodes()) {
        seen.add(Files.readString(SHARED.resolve(name + "-saw")));
      }
      assertEquals(
          1, seen.stream().map(text -> text.split(" ", -1)[0]).distinct().count(), seen::toString);
      assertEquals(1, seen.stream().filter(text -> text.endsWith("mine")).count(), seen::toString);
      barrier("all looked");
    }
  }
}
