package io.holdfast.bench.floods;

import com.google.protobuf.MessageLite;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LeaseKeepAliveRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Messages of calls, with the length before each. */
final class Messages {

  static final String LOCKS = "/holdfast.v1.LockService/";
  static final String HEALTH = "/grpc.health.v1.Health/";
  static final String REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  static final String MEMBER_LIST = "/holdfast.v1.AdminService/MemberList";

  private static final int BOMB_MEGABYTES = 300;
  private static final int PREFIX = 5;

  private Messages() {}

  static byte[] of(MessageLite message) {
    return prefixed(0, message.toByteArray());
  }

  static byte[] empty() {
    return new byte[PREFIX];
  }

  /** Asks for a lock that ends soon, whatever becomes of the call. */
  static byte[] lock(String key, long timeoutMs) {
    return of(
        LockRequest.newBuilder()
            .setKey(key)
            .setHolderId("flood")
            .setTtlMs(1_000)
            .setTimeoutMs(timeoutMs)
            .build());
  }

  /** Opens a session that ends soon. */
  static byte[] open() {
    return of(
        SessionRequest.newBuilder().setOpen(SessionOpen.newBuilder().setTtlMs(1_000)).build());
  }

  /** A read of a lock's holder in a session. */
  static byte[] ask(long number, String key) {
    return of(
        SessionRequest.newBuilder()
            .addOperations(
                Operation.newBuilder()
                    .setNumber(number)
                    .setGetLock(GetLockRequest.newBuilder().setKey(key)))
            .setLowestOpenNumber(number)
            .build());
  }

  /** A keepalive of a lease that does not exist. */
  static byte[] keepAlive(int number) {
    return of(LeaseKeepAliveRequest.newBuilder().setLeaseId(1).setNumber(number).build());
  }

  /** Asks for the files that describe a service: an answer of many times its size. */
  static byte[] describe() {
    byte[] name = "holdfast.v1.LockService".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer message = ByteBuffer.allocate(2 + name.length);
    return prefixed(0, message.put((byte) 0x22).put((byte) name.length).put(name).array());
  }

  /** The beginning of a message of so many bytes. */
  static byte[] lengthOf(int bytes) {
    return ByteBuffer.allocate(PREFIX).put((byte) 0).putInt(bytes).array();
  }

  /** A message of 300 KB that becomes one of 300 MB. */
  static byte[] bomb() {
    return prefixed(1, Bomb.BYTES);
  }

  private static byte[] prefixed(int compressed, byte[] message) {
    return ByteBuffer.allocate(PREFIX + message.length)
        .put((byte) compressed)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** Made when it is first asked for. */
  private static final class Bomb {

    static final byte[] BYTES = make();

    private static byte[] make() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] zeros = new byte[1 << 20];
      try (GZIPOutputStream out =
          new GZIPOutputStream(bytes) {
            {
              def.setLevel(Deflater.BEST_COMPRESSION);
            }
          }) {
        for (int i = 0; i < BOMB_MEGABYTES; i++) {
          out.write(zeros);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }
  }
}
