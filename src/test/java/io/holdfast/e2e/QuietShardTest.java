package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.holdfast.v1.LeaseTimeToLiveRequest;
import io.holdfast.v1.LockServiceGrpc;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about shards that nobody runs yet. */
class QuietShardTest {

  private static final Duration AT_ONCE = Duration.ofMillis(300);

  @TempDir private Path folder;

  @Test
  void an_unknown_lease_of_a_quiet_shard_is_refused_at_once() {
    try (NodeUnderTest node = NodeUnderTest.serving(folder)) {
      ManagedChannel channel = node.connect();
      Duration shortest = Duration.ofDays(1);
      for (int lease = 1; lease <= 5; lease++) { // the first call of a client takes its time
        LeaseTimeToLiveRequest request =
            LeaseTimeToLiveRequest.newBuilder().setLeaseId(lease).build();
        long begun = System.nanoTime();
        StatusRuntimeException refused =
            assertThrows(
                StatusRuntimeException.class,
                () -> LockServiceGrpc.newBlockingStub(channel).leaseTimeToLive(request));
        assertEquals(Status.Code.NOT_FOUND, refused.getStatus().getCode());
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        shortest = took.compareTo(shortest) < 0 ? took : shortest;
      }
      assertTrue(shortest.compareTo(AT_ONCE) < 0, shortest::toString);
      channel.shutdownNow();
    }
  }
}
