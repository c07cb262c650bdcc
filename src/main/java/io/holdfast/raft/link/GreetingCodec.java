package io.holdfast.raft.link;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;
import io.holdfast.raft.core.MemberId;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The bytes of the handshake: bodies of frames, each with its kind first. */
final class GreetingCodec {

  private static final long MAGIC = 0x484f4c4446535450L; // HOLDFSTP
  private static final byte LINK = 1;
  private static final byte ASK = 2;

  private GreetingCodec() {}

  static byte[] encode(Hello hello) {
    return new BytesOutput()
        .putByte(FrameFormat.HELLO)
        .putLong(MAGIC)
        .putShort(FrameFormat.VERSION)
        .putByte(hello.asks() ? ASK : LINK)
        .putLong(hello.cluster())
        .putInt(hello.group())
        .putLong(hello.from().value())
        .putLong(hello.incarnation())
        .putLong(hello.wanted())
        .putText(hello.address())
        .toBytes();
  }

  /** Reads a hello behind its kind; null if it is in another version of the format. */
  static @Nullable Hello hello(ByteBuffer bytes) throws IOException {
    try {
      BytesInput in = new BytesInput(bytes);
      if (in.getLong() != MAGIC) {
        throw new MalformedFrame("another protocol");
      }
      if (in.getShort() != FrameFormat.VERSION) {
        return null;
      }
      byte purpose = in.getByte();
      if (purpose != LINK && purpose != ASK) {
        throw new MalformedFrame("purpose [" + purpose + "] is unknown");
      }
      long cluster = in.getLong();
      int group = in.getInt();
      MemberId from = new MemberId(in.getLong());
      long incarnation = incarnation(in);
      long wanted = in.getLong();
      Hello hello =
          new Hello(purpose == ASK, cluster, group, from, incarnation, wanted, in.getText());
      in.requireEnd();
      return hello;
    } catch (IllegalArgumentException e) {
      throw malformed("hello", e);
    }
  }

  static byte[] encode(Welcome welcome) {
    return new BytesOutput()
        .putByte(FrameFormat.WELCOME)
        .putLong(welcome.member().value())
        .putLong(welcome.incarnation())
        .toBytes();
  }

  static Welcome welcome(ByteBuffer bytes) throws IOException {
    try {
      BytesInput in = new BytesInput(bytes);
      return new Welcome(new MemberId(in.getLong()), incarnation(in));
    } catch (IllegalArgumentException e) {
      throw malformed("welcome", e);
    }
  }

  static byte[] encode(Refused refused) {
    return new BytesOutput()
        .putByte(FrameFormat.REFUSED)
        .putByte(refused.code())
        .putText(refused.text())
        .toBytes();
  }

  static Refused refused(ByteBuffer bytes) throws IOException {
    try {
      BytesInput in = new BytesInput(bytes);
      Refused refused = new Refused(in.getByte(), in.getText());
      in.requireEnd();
      return refused;
    } catch (IllegalArgumentException e) {
      throw malformed("refusal", e);
    }
  }

  /** A question or an answer: its kind, and the bytes as they are. */
  static byte[] wrap(byte kind, byte[] content) {
    return ByteBuffer.allocate(1 + content.length).put(kind).put(content).array();
  }

  static byte[] unwrap(ByteBuffer in) {
    byte[] content = new byte[in.remaining()];
    in.get(content);
    return content;
  }

  /* It counts starts of a process: a number that is out of reach would shut the member out for good. */
  private static long incarnation(BytesInput in) {
    long incarnation = in.getLong();
    if (incarnation < 0 || incarnation > FrameFormat.MAX_INCARNATION) {
      throw new IllegalArgumentException(
          "incarnation [%d] exceeds [%d]".formatted(incarnation, FrameFormat.MAX_INCARNATION));
    }
    return incarnation;
  }

  private static MalformedFrame malformed(String what, RuntimeException cause) {
    return new MalformedFrame(new IllegalArgumentException("no " + what, cause));
  }
}
