package io.holdfast.raft.node;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.MemberId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of {@link Question} and {@link Statement}. Both begin with a format number; what cannot
 * be read is an {@link IllegalArgumentException}.
 */
final class FoundingCodec {

  private static final byte FORMAT = 1;

  private FoundingCodec() {}

  static byte[] encode(Question question) {
    byte[] address = utf8(question.address());
    ByteBuffer out = ByteBuffer.allocate(1 + 8 + 1 + 2 + address.length);
    out.put(FORMAT).putLong(question.member().value()).put((byte) (question.join() ? 1 : 0));
    return out.putShort((short) address.length).put(address).array();
  }

  static Question question(byte[] bytes) {
    return read(
        bytes,
        in -> {
          MemberId member = new MemberId(in.getLong());
          boolean join = in.get() == 1;
          return new Question(member, text(in), join);
        });
  }

  static byte[] encode(Statement statement) {
    byte[] address = utf8(statement.address());
    byte[] leader = utf8(statement.leader());
    Formation known = statement.formation();
    byte[] formation = known == null ? new byte[0] : MemberCodec.encode(known);
    byte[] configuration = MemberCodec.encode(statement.configuration());
    ByteBuffer out =
        ByteBuffer.allocate(
            1
                + 8
                + 8
                + 1
                + 2
                + address.length
                + 2
                + leader.length
                + 2
                + formation.length
                + 2
                + configuration.length);
    out.put(FORMAT).putLong(statement.member().value()).putLong(statement.readyFor());
    out.put(code(statement.admission()));
    out.putShort((short) address.length).put(address);
    out.putShort((short) leader.length).put(leader);
    out.putShort((short) formation.length).put(formation);
    return out.putShort((short) configuration.length).put(configuration).array();
  }

  static Statement statement(byte[] bytes) {
    return read(
        bytes,
        in -> {
          MemberId member = new MemberId(in.getLong());
          long readyFor = in.getLong();
          Statement.Admission admission = admission(in.get());
          String address = text(in);
          String leader = text(in);
          byte[] formation = bytes(in);
          return new Statement(
              member,
              address,
              readyFor,
              formation.length == 0 ? null : MemberCodec.formation(formation),
              MemberCodec.configuration(bytes(in)),
              admission,
              leader);
        });
  }

  private interface Reader<T> {
    T read(ByteBuffer in);
  }

  private static <T> T read(byte[] bytes, Reader<T> reader) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      byte format = in.get();
      if (format != FORMAT) {
        throw new IllegalArgumentException("founding format [" + format + "] is unknown");
      }
      T value = reader.read(in);
      if (in.hasRemaining()) {
        throw new IllegalArgumentException("[" + in.remaining() + "] bytes too many");
      }
      return value;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the message ends early", e);
    }
  }

  private static byte code(Statement.Admission admission) {
    return switch (admission) {
      case NONE -> 0;
      case ADMITTED -> 1;
      case LATER -> 2;
      case STRANGER -> 3;
    };
  }

  private static Statement.Admission admission(byte code) {
    return switch (code) {
      case 0 -> Statement.Admission.NONE;
      case 1 -> Statement.Admission.ADMITTED;
      case 2 -> Statement.Admission.LATER;
      case 3 -> Statement.Admission.STRANGER;
      default -> throw new IllegalArgumentException("admission [" + code + "] is unknown");
    };
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(ByteBuffer in) {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ByteBuffer in) {
    int length = Short.toUnsignedInt(in.getShort());
    if (length > in.remaining()) {
      throw new IllegalArgumentException("[" + length + "] bytes do not fit");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
