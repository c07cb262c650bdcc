package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Faults of Akka HTTP that reach a node: who uses them harms their own connection only. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KnownFaultsTest {

  private static final int WINDOW_UPDATE = 8;
  private static final int CALL = RawConnection.END_HEADERS | RawConnection.END_STREAM;

  private NodeUnderTest node;

  @BeforeAll
  void start(@TempDir Path folder) {
    node = NodeUnderTest.serving(folder);
  }

  @AfterAll
  void stop() {
    node.close();
  }

  @Test
  void windows_beyond_the_last_number_harm_their_connection_only() {
    byte[] most = ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array();
    try (RawConnection connection = RawConnection.http2(node.grpcAddress())) {
      for (int i = 0; i < 20; i++) {
        connection.frame(WINDOW_UPDATE, 0, 0, most);
        connection.frame(RawConnection.HEADERS, CALL, 2 * i + 1, RawConnection.headers());
        connection.frame(WINDOW_UPDATE, 0, 2 * i + 1, most);
      }
      connection.flush();
      othersAreServed("windows");
    }
  }

  @Test
  void a_header_that_cannot_be_parsed_harms_its_connection_only() {
    try (RawConnection connection = RawConnection.http2(node.grpcAddress())) {
      for (int i = 0; i < 20; i++) {
        connection.frame(RawConnection.HEADERS, CALL, 2 * i + 1, badPath());
        connection.frame(RawConnection.HEADERS, CALL, 2 * i + 3, RawConnection.headers());
      }
      connection.flush();
      othersAreServed("headers");
    }
  }

  /** A path that is none, and a header behind it that is put into the table of this connection. */
  private static byte[] badPath() {
    return new byte[] {
      (byte) 0x83, (byte) 0x86, 0x04, 3, '/', '%', 'z', 0x40, 1, 'a', 1, 'b',
    };
  }

  private void othersAreServed(String key) {
    ManagedChannel channel = node.connect();
    try {
      for (int i = 0; i < 20; i++) {
        LockServiceGrpc.LockServiceBlockingStub stub =
            LockServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
        LockResponse held = stub.lock(Asked.lock(key, "somebody").build());
        assertTrue(held.getAcquired(), held::toString);
        assertTrue(stub.unlock(Asked.unlock(key, held.getFencingToken())).getReleased());
      }
    } finally {
      channel.shutdownNow();
    }
    assertFalse(node.output().contains("ERROR"), node::output);
  }
}
