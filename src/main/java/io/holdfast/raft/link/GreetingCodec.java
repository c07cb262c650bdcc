package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The bytes of the handshake: bodies of frames, each with its kind first. */
final class GreetingCodec {

  private static final long MAGIC = 0x484f4c4446535450L; // HOLDFSTP
  private static final byte LINK = 1;
  private static final byte ASK = 2;

  private GreetingCodec() {}

  static byte[] encode(Hello hello) {
    byte[] address = hello.address().getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(1 + 8 + 2 + 1 + 8 + 4 + 3 * 8 + 2 + address.length);
    out.put(FrameFormat.HELLO).putLong(MAGIC).putShort(FrameFormat.VERSION);
    out.put(hello.asks() ? ASK : LINK).putLong(hello.cluster()).putInt(hello.group());
    out.putLong(hello.from().value()).putLong(hello.incarnation()).putLong(hello.wanted());
    out.putShort((short) address.length).put(address);
    return out.array();
  }

  /** Reads a hello behind its kind; null if it is in another version of the format. */
  static @Nullable Hello hello(ByteBuffer in) throws IOException {
    try {
      if (in.getLong() != MAGIC) {
        throw new MalformedFrame("a stranger's protocol");
      }
      if (in.getShort() != FrameFormat.VERSION) {
        return null;
      }
      byte purpose = in.get();
      if (purpose != LINK && purpose != ASK) {
        throw new MalformedFrame("purpose [" + purpose + "] is unknown");
      }
      long cluster = in.getLong();
      int group = in.getInt();
      MemberId from = new MemberId(in.getLong());
      long incarnation = incarnation(in);
      long wanted = in.getLong();
      return new Hello(purpose == ASK, cluster, group, from, incarnation, wanted, text(in));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw malformed("hello", e);
    }
  }

  static byte[] encode(Welcome welcome) {
    ByteBuffer out = ByteBuffer.allocate(1 + 8 + 8);
    out.put(FrameFormat.WELCOME);
    out.putLong(welcome.member().value()).putLong(welcome.incarnation());
    return out.array();
  }

  static Welcome welcome(ByteBuffer in) throws IOException {
    try {
      return new Welcome(new MemberId(in.getLong()), incarnation(in));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw malformed("welcome", e);
    }
  }

  static byte[] encode(Refused refused) {
    byte[] text = refused.text().getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(1 + 1 + 2 + text.length);
    out.put(FrameFormat.REFUSED).put(refused.code()).putShort((short) text.length).put(text);
    return out.array();
  }

  static Refused refused(ByteBuffer in) throws IOException {
    try {
      return new Refused(in.get(), text(in));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
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
  private static long incarnation(ByteBuffer in) {
    long incarnation = in.getLong();
    if (incarnation < 0 || incarnation > FrameFormat.MAX_INCARNATION) {
      throw new IllegalArgumentException(
          "incarnation [%d] exceeds [%d]".formatted(incarnation, FrameFormat.MAX_INCARNATION));
    }
    return incarnation;
  }

  private static String text(ByteBuffer in) throws IOException {
    int length = Short.toUnsignedInt(in.getShort());
    if (length != in.remaining()) {
      throw new MalformedFrame("text of [" + length + "] bytes in [" + in.remaining() + "]");
    }
    return new String(unwrap(in), StandardCharsets.UTF_8);
  }

  private static MalformedFrame malformed(String what, RuntimeException cause) {
    return new MalformedFrame(new IllegalArgumentException("no " + what, cause));
  }
}
