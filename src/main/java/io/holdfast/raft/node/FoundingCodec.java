package io.holdfast.raft.node;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.MemberId;

/**
 * The bytes of {@link Question} and {@link Statement}. Both begin with a format number; what cannot
 * be read is an {@link IllegalArgumentException}.
 */
final class FoundingCodec {

  private static final byte FORMAT = 1;

  private FoundingCodec() {}

  static byte[] encode(Question question) {
    return new BytesOutput()
        .putByte(FORMAT)
        .putLong(question.member().value())
        .putByte(question.join() ? 1 : 0)
        .putText(question.address())
        .toBytes();
  }

  static Question question(byte[] bytes) {
    BytesInput in = open(bytes);
    MemberId member = new MemberId(in.getLong());
    boolean join = in.getByte() == 1;
    Question question = new Question(member, in.getText(), join);
    in.requireEnd();
    return question;
  }

  static byte[] encode(Statement statement) {
    Formation known = statement.formation();
    return new BytesOutput()
        .putByte(FORMAT)
        .putLong(statement.member().value())
        .putLong(statement.readyFor())
        .putByte(code(statement.admission()))
        .putText(statement.address())
        .putText(statement.leader())
        .putShortBytes(known == null ? new byte[0] : MemberCodec.encode(known))
        .putShortBytes(MemberCodec.encode(statement.configuration()))
        .toBytes();
  }

  static Statement statement(byte[] bytes) {
    BytesInput in = open(bytes);
    MemberId member = new MemberId(in.getLong());
    long readyFor = in.getLong();
    Statement.Admission admission = admission(in.getByte());
    String address = in.getText();
    String leader = in.getText();
    byte[] formation = in.getShortBytes();
    byte[] configuration = in.getShortBytes();
    in.requireEnd();
    return new Statement(
        member,
        address,
        readyFor,
        formation.length == 0 ? null : MemberCodec.formation(formation),
        MemberCodec.configuration(configuration),
        admission,
        leader);
  }

  private static BytesInput open(byte[] bytes) {
    BytesInput in = new BytesInput(bytes);
    byte format = in.getByte();
    if (format != FORMAT) {
      throw new IllegalArgumentException("founding format [" + format + "] is unknown");
    }
    return in;
  }

  private static byte code(Statement.Admission admission) {
    return switch (admission) {
      case NONE -> 0;
      case ADMITTED -> 1;
      case LATER -> 2;
      case UNKNOWN_ADDRESS -> 3;
    };
  }

  private static Statement.Admission admission(byte code) {
    return switch (code) {
      case 0 -> Statement.Admission.NONE;
      case 1 -> Statement.Admission.ADMITTED;
      case 2 -> Statement.Admission.LATER;
      case 3 -> Statement.Admission.UNKNOWN_ADDRESS;
      default -> throw new IllegalArgumentException("admission [" + code + "] is unknown");
    };
  }
}
