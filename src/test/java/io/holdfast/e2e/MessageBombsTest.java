package io.holdfast.e2e;

import static io.holdfast.e2e.RawConnection.DATA;
import static io.holdfast.e2e.RawConnection.END_HEADERS;
import static io.holdfast.e2e.RawConnection.END_STREAM;
import static io.holdfast.e2e.RawConnection.HEADERS;
import static io.holdfast.e2e.RawConnection.SETTINGS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that are far larger than their bytes, or say so: a node of 256 MB refuses and lives. */
class MessageBombsTest {

  private static final Duration WITHIN = Duration.ofSeconds(30);
  private static final int LARGE = 300_000_000;

  @TempDir private static Path folder;
  private static NodeUnderTest node;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() {
    node = NodeUnderTest.serving(folder);
    channel = node.connect();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    node.close();
  }

  @Test
  void gzip_that_inflates_to_300_MB_is_refused_on_a_stream() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      assertEquals(Status.Code.UNIMPLEMENTED, streamed(gzip(), zeros()).getStatus().getCode());
    }
    assertServes();
  }

  @Test
  void gzip_that_inflates_to_300_MB_is_refused_in_a_call() {
    StatusRuntimeException error =
        assertThrows(
            StatusRuntimeException.class,
            () ->
                ClientCalls.blockingUnaryCall(
                    channel, raw(HealthGrpc.getCheckMethod()), gzip(), zeros()));
    assertEquals(Status.Code.UNIMPLEMENTED, error.getStatus().getCode());
    assertServes();
  }

  @Test
  void a_length_of_2_GiB_is_refused_and_what_follows_is_not_kept() {
    byte[] prefix = ByteBuffer.allocate(5).putInt(1, Integer.MAX_VALUE).array();
    byte[] more = new byte[16_384];
    List<RawConnection> connections = new ArrayList<>();
    for (String path :
        List.of("/holdfast.v1.LockService/Session", "/grpc.health.v1.Health/Check")) {
      RawConnection connection = RawConnection.http2(node.grpcAddress());
      connections.add(connection);
      connection.frame(HEADERS, END_HEADERS, 1, RawConnection.headers(path));
      connection.frame(DATA, 0, 1, prefix);
      int sent = 0; // it reads on for a while; flow control ends this, or the other side does
      while (sent < 400 && connection.frame(DATA, 0, 1, more)) {
        connection.flush();
        sent++;
      }
    }
    assertServes();
    connections.forEach(RawConnection::close);
  }

  @Test
  void bodies_that_never_end_do_not_fill_the_node() {
    byte[] begun = ByteBuffer.allocate(16_384).putInt(1, 4_000_000).array();
    byte[] fits = ByteBuffer.allocate(16_384).putInt(1, 60_000).array();
    List<RawConnection> connections = new ArrayList<>();
    for (int c = 0; c < 4; c++) {
      RawConnection connection = RawConnection.http2(node.grpcAddress());
      connections.add(connection);
      for (int stream = 1; stream < 512; stream += 2) {
        connection.frame(HEADERS, END_HEADERS, stream, RawConnection.headers());
        connection.frame(DATA, 0, stream, stream % 4 == 1 ? begun : fits);
        connection.frame(DATA, 0, stream, new byte[16_384]);
        connection.flush();
      }
    }
    assertServes();
    connections.forEach(RawConnection::close);
  }

  @Test
  void pages_that_nobody_reads_do_not_fill_the_node() {
    ByteString most = ByteString.copyFrom(new byte[8_192]);
    for (int i = 0; i < 120; i++) {
      assertTrue(
          locks().tryLock(Asked.lock("page/" + i, "h").setMetadata(most).build()).getAcquired());
    }
    byte[] list = ListLocksRequest.newBuilder().setPageSize(1_000).build().toByteArray();
    byte[] data = ByteBuffer.allocate(5 + list.length).putInt(1, list.length).put(5, list).array();
    byte[] noWindow = {0, 4, 0, 0, 0, 0};
    try (RawConnection connection = RawConnection.http2(node.grpcAddress())) {
      connection.frame(SETTINGS, 0, 0, noWindow);
      for (int stream = 1; stream < 1_000; stream += 2) {
        connection.frame(
            HEADERS,
            END_HEADERS,
            stream,
            RawConnection.headers("/holdfast.v1.LockService/ListLocks"));
        connection.frame(DATA, END_STREAM, stream, data);
      }
      connection.flush();
      for (int i = 0; i < 100; i++) {
        assertEquals(
            100, locks().listLocks(ListLocksRequest.getDefaultInstance()).getEntriesCount());
      }
      assertServes();
    }
  }

  @Test
  void watches_of_health_count_as_streams_of_their_connection() {
    ManagedChannel own = node.connect();
    try {
      for (int i = 0; i < 100; i++) {
        assertEquals(ServingStatus.SERVING, watchHealth(own).next().getStatus());
      }
      assertEquals(Reason.REASON_TOO_MANY_STREAMS, Asked.reason(() -> watchHealth(own).next()));
    } finally {
      own.shutdownNow();
    }
  }

  private static Iterator<HealthCheckResponse> watchHealth(ManagedChannel by) {
    return HealthGrpc.newBlockingStub(by).watch(HealthCheckRequest.getDefaultInstance());
  }

  @Test
  void a_session_frame_that_cannot_be_decoded_ends_with_its_status() throws InterruptedException {
    SessionRequest open =
        SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance()).build();
    Operation lock =
        Operation.newBuilder()
            .setNumber(1)
            .setLock(LockRequest.newBuilder().setKey("k").setHolderId("****"))
            .build();
    byte[] bad = SessionRequest.newBuilder().addOperations(lock).build().toByteArray();
    for (int i = 0; i < bad.length; i++) {
      bad[i] = bad[i] == '*' ? (byte) 0xC3 : bad[i];
    }
    StatusRuntimeException error =
        streamed(CallOptions.DEFAULT, bytes(open.toByteArray()), bytes(bad));
    assertEquals(Reason.REASON_FRAME_INVALID, Asked.refusal(error).getReason());
    StatusRuntimeException large =
        streamed(CallOptions.DEFAULT, bytes(open.toByteArray()), bytes(new byte[70_000]));
    assertEquals(Reason.REASON_MESSAGE_TOO_LARGE, Asked.refusal(large).getReason());
  }

  private static LockServiceGrpc.LockServiceBlockingStub locks() {
    return LockServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  private static CallOptions gzip() {
    return CallOptions.DEFAULT.withCompression("gzip");
  }

  private static void assertServes() {
    LockResponse response = locks().tryLock(Asked.lock("bystander", "bystander").build());
    assertTrue(response.getAcquired());
    assertTrue(node.isAlive(), node::errors);
    assertTrue(!node.errors().contains("OutOfMemory"), node::errors);
  }

  /** The end of a session's stream that sends these. */
  private static StatusRuntimeException streamed(CallOptions options, InputStream... messages)
      throws InterruptedException {
    BlockingQueue<Throwable> ended = new ArrayBlockingQueue<>(1);
    StreamObserver<InputStream> requests =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(raw(LockServiceGrpc.getSessionMethod()), options),
            new StreamObserver<>() {
              @Override
              public void onNext(byte[] answer) {}

              @Override
              public void onError(Throwable failure) {
                ended.add(failure);
              }

              @Override
              public void onCompleted() {
                ended.add(new AssertionError("the stream ended in good order"));
              }
            });
    for (InputStream message : messages) {
      requests.onNext(message);
    }
    Throwable end = ended.poll(WITHIN.toSeconds(), TimeUnit.SECONDS);
    return assertInstanceOf(StatusRuntimeException.class, end);
  }

  private static InputStream zeros() {
    return new InputStream() {
      private int left = LARGE;

      @Override
      public int read() {
        return left-- > 0 ? 0 : -1;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        int read = Math.min(left, length);
        left -= read;
        Arrays.fill(bytes, offset, offset + read, (byte) 0);
        return read > 0 || length == 0 ? read : -1;
      }
    };
  }

  private static InputStream bytes(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  private static MethodDescriptor<InputStream, byte[]> raw(MethodDescriptor<?, ?> method) {
    return MethodDescriptor.<InputStream, byte[]>newBuilder()
        .setType(method.getType())
        .setFullMethodName(method.getFullMethodName())
        .setRequestMarshaller(new Sent())
        .setResponseMarshaller(new Received())
        .build();
  }

  private static final class Sent implements MethodDescriptor.Marshaller<InputStream> {
    @Override
    public InputStream stream(InputStream bytes) {
      return bytes;
    }

    @Override
    public InputStream parse(InputStream bytes) {
      throw new AssertionError("nobody reads requests here");
    }
  }

  private static final class Received implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] bytes) {
      throw new AssertionError("nobody sends answers here");
    }

    @Override
    public byte[] parse(InputStream bytes) {
      try {
        return bytes.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
