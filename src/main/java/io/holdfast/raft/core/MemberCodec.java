package io.holdfast.raft.core;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of {@link Formation} and {@link Configuration} as they stand in entries and snapshots.
 *
 * <p>Both begin with a format number and are read for ever. Numbers are big-endian; a list is a
 * count of one byte and its rows; a row is id (8 bytes), kind (1), priority (1), and address (2
 * bytes of length, UTF-8).
 */
public final class MemberCodec {

  private static final byte FORMAT = 1;

  private MemberCodec() {}

  public static byte[] encode(Configuration configuration) {
    BytesOutput out = new BytesOutput().putByte(FORMAT);
    putRows(out, configuration.members());
    putRows(out, configuration.outgoing());
    return out.toBytes();
  }

  public static Configuration configuration(byte[] bytes) {
    BytesInput in = open(bytes);
    Configuration configuration = new Configuration(rows(in), rows(in));
    in.requireEnd();
    return configuration;
  }

  public static byte[] encode(Formation formation) {
    BytesOutput out = new BytesOutput().putByte(FORMAT);
    out.putLong(formation.clusterId()).putInt(formation.shards()).putLong(formation.settingsHash());
    putRows(out, formation.members());
    return out.toBytes();
  }

  public static Formation formation(byte[] bytes) {
    BytesInput in = open(bytes);
    Formation formation = new Formation(in.getLong(), in.getInt(), in.getLong(), rows(in));
    in.requireEnd();
    return formation;
  }

  private static BytesInput open(byte[] bytes) {
    BytesInput in = new BytesInput(bytes);
    byte format = in.getByte();
    if (format != FORMAT) {
      throw new IllegalArgumentException("member format [" + format + "] is unknown");
    }
    return in;
  }

  private static void putRows(BytesOutput out, List<Member> rows) {
    out.putByte(rows.size());
    for (Member row : rows) {
      out.putLong(row.id().value()).putByte(code(row.kind())).putByte(row.priority());
      out.putText(row.address());
    }
  }

  private static List<Member> rows(BytesInput in) {
    int count = in.getByte();
    List<Member> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      MemberId id = new MemberId(in.getLong());
      Member.Kind kind = kind(in.getByte());
      rows.add(new Member(id, kind, in.getByte(), in.getText()));
    }
    return rows;
  }

  private static byte code(Member.Kind kind) {
    return switch (kind) {
      case VOTER -> 1;
      case WITNESS -> 2;
      case LEARNER -> 3;
    };
  }

  private static Member.Kind kind(byte code) {
    return switch (code) {
      case 1 -> Member.Kind.VOTER;
      case 2 -> Member.Kind.WITNESS;
      case 3 -> Member.Kind.LEARNER;
      default -> throw new IllegalArgumentException("kind [" + code + "] is unknown");
    };
  }
}
