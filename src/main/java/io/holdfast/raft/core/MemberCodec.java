package io.holdfast.raft.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
    ByteBuffer out =
        ByteBuffer.allocate(1 + size(configuration.members()) + size(configuration.outgoing()));
    out.put(FORMAT);
    putRows(out, configuration.members());
    putRows(out, configuration.outgoing());
    return out.array();
  }

  public static Configuration configuration(byte[] bytes) {
    ByteBuffer in = open(bytes);
    Configuration configuration = new Configuration(rows(in), rows(in));
    requireEnd(in);
    return configuration;
  }

  public static byte[] encode(Formation formation) {
    ByteBuffer out = ByteBuffer.allocate(1 + 8 + 4 + 8 + size(formation.members()));
    out.put(FORMAT);
    out.putLong(formation.clusterId()).putInt(formation.shards()).putLong(formation.settingsHash());
    putRows(out, formation.members());
    return out.array();
  }

  public static Formation formation(byte[] bytes) {
    ByteBuffer in = open(bytes);
    Formation formation = new Formation(in.getLong(), in.getInt(), in.getLong(), rows(in));
    requireEnd(in);
    return formation;
  }

  private static ByteBuffer open(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte format = in.get();
    if (format != FORMAT) {
      throw new IllegalArgumentException("member format [" + format + "] is unknown");
    }
    return in;
  }

  private static void requireEnd(ByteBuffer in) {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("[" + in.remaining() + "] bytes after the last member");
    }
  }

  private static int size(List<Member> rows) {
    int size = 1;
    for (Member row : rows) {
      size += 8 + 1 + 1 + 2 + utf8(row.address()).length;
    }
    return size;
  }

  private static void putRows(ByteBuffer out, List<Member> rows) {
    out.put((byte) rows.size());
    for (Member row : rows) {
      byte[] address = utf8(row.address());
      out.putLong(row.id().value()).put(code(row.kind())).put((byte) row.priority());
      out.putShort((short) address.length).put(address);
    }
  }

  private static List<Member> rows(ByteBuffer in) {
    int count = in.get();
    List<Member> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      MemberId id = new MemberId(in.getLong());
      Member.Kind kind = kind(in.get());
      int priority = in.get();
      byte[] address = new byte[Short.toUnsignedInt(in.getShort())];
      in.get(address);
      rows.add(new Member(id, kind, priority, new String(address, StandardCharsets.UTF_8)));
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

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
