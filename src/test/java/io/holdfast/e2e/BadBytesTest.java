package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.holdfast.v1.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Messages that are none, or too large: they are refused as a whole, and the node goes on. */
class BadBytesTest {

  private static final String KEY = "bad/bytes";
  private static final LockRequest GOOD = Asked.lock(KEY, "anna").build();

  private static ManagedChannel channel;

  @BeforeAll
  static void connect() {
    channel = ClusterUnderTest.shared().connect(0);
  }

  @AfterAll
  static void nothing_was_changed_and_the_node_goes_on() {
    assertTrue(!ClusterUnderTest.shared().get(0, KEY).hasLock());
    channel.shutdownNow();
  }

  @Test
  void a_message_of_more_than_64_KiB_is_refused() {
    LockRequest large = GOOD.toBuilder().setMetadata(ByteString.copyFrom(new byte[65_536])).build();
    assertEquals(Reason.REASON_MESSAGE_TOO_LARGE, Asked.reason(() -> stub().lock(large)));
  }

  @Test
  void a_message_that_cannot_be_decoded_is_refused_as_a_whole() throws IOException {
    byte[] good = GOOD.toByteArray();
    byte[] notUtf8 = GOOD.toBuilder().setHolderId("****").build().toByteArray();
    int at = new String(notUtf8, StandardCharsets.ISO_8859_1).indexOf("****");
    notUtf8[at] = (byte) 0xC3;
    notUtf8[at + 1] = (byte) 0x28;
    byte[] surrogate = GOOD.toBuilder().setHolderId("***").build().toByteArray();
    int from = new String(surrogate, StandardCharsets.ISO_8859_1).indexOf("***");
    System.arraycopy(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, 0, surrogate, from, 3);
    for (int i = 0; i < 50; i++) { // an answer that is sometimes overtaken by a reset is none
      assertUndecodable(notUtf8);
    }
    assertUndecodable(surrogate);
    assertUndecodable(java.util.Arrays.copyOf(good, good.length - 1));
    assertUndecodable(new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF});
    assertUndecodable(nested());
  }

  /** Field 1 as a varint is no key: to the message it is an unknown field, and the key is unset. */
  @Test
  void a_field_of_another_type_is_not_that_field() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeUInt64(1, 42);
      out.writeString(2, "anna");
      out.writeUInt64(3, 1_000);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertEquals(Reason.REASON_KEY_INVALID, Asked.reason(() -> send(bytes.toByteArray())));
  }

  /** Groups within groups, as deep as a message may be long. */
  private static byte[] nested() {
    byte[] groups = new byte[60_000];
    java.util.Arrays.fill(groups, (byte) 0x7B); // field 15, start of a group
    return groups;
  }

  private static void assertUndecodable(byte[] message) {
    assertEquals(Reason.REASON_FRAME_INVALID, Asked.reason(() -> send(message)));
  }

  private static void send(byte[] message) {
    MethodDescriptor<byte[], byte[]> lock =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(LockServiceGrpc.getLockMethod().getFullMethodName())
            .setRequestMarshaller(new AsTheyAre())
            .setResponseMarshaller(new AsTheyAre())
            .build();
    var unused = ClientCalls.blockingUnaryCall(channel, lock, CallOptions.DEFAULT, message);
  }

  private static final class AsTheyAre implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] bytes) {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static LockServiceBlockingStub stub() {
    return LockServiceGrpc.newBlockingStub(channel);
  }
}
