package io.holdfast.bench.floods;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Attacks on the ports that members have for each other: that of the log, and Akka's. */
final class MemberFloods {

  private static final int STRANGERS = 5_000;
  private static final int LARGE_ONES = 16;
  private static final byte HELLO = 1;
  private static final byte WELCOME = 2;
  private static final byte BATCH = 8;
  private static final int KIND_AT = 8;
  private static final long MAGIC = 0x484f4c4446535450L; // HOLDFSTP
  private static final long SOMEBODY = 0x123456789abcdefL;
  private static final byte VOTE_REQUEST = 1;
  private static final byte APPEND_REQUEST = 3;
  private static final byte HEARTBEAT = 6;
  private static final byte HAND_OVER_FLAG = 2;
  private static final int MORE = 65_536;
  private static final long BETWEEN_MS = 20;
  private static final byte[] AKKA = "AKKA".getBytes(StandardCharsets.US_ASCII);

  private MemberFloods() {}

  static List<Attack> all() {
    List<Attack> attacks = new ArrayList<>();
    attacks.add(ConnectionFloods.garbage("raft", place -> place.raft()));
    attacks.add(
        Attack.plain(
            "raft-lengths",
            "frames of the log's links of impossible lengths",
            MemberFloods::raftLengths));
    attacks.add(
        Attack.plain(
            "raft-half-hellos",
            "5,000 links that stop within their first frame",
            MemberFloods::halfHellos));
    attacks.add(
        Attack.plain(
            "raft-large-frame",
            "links that are admitted, 16 at a time, and frames of 64 MiB that do not end",
            MemberFloods::largeFrames));
    attacks.add(
        Attack.plain(
            "raft-term", "messages of the last term that there is", MemberFloods::lastTerm));
    attacks.add(
        Attack.plain(
            "raft-incarnation",
            "a link of an incarnation that nobody can be later than",
            MemberFloods::lastIncarnation));
    attacks.add(ConnectionFloods.garbage("artery", place -> place.cluster()));
    attacks.add(
        Attack.plain(
            "artery-connections",
            "5,000 connections to Akka's port on which nothing comes",
            siege -> ConnectionFloods.idle(siege, siege.place().cluster())));
    return attacks;
  }

  private static void raftLengths(Siege siege) throws IOException {
    int[] lengths = {Integer.MAX_VALUE, -1, 0, Integer.MIN_VALUE, 64 << 20, 4_096};
    while (siege.goesOn()) {
      for (int length : lengths) {
        HostileConnection connection = siege.connect(siege.place().raft());
        connection.startReading();
        connection.send(ByteBuffer.allocate(8).putInt(length).array());
        for (int i = 0; i < 100 && connection.send(new byte[MORE]); i++) {}
        connection.close();
      }
      siege.pause(BETWEEN_MS);
    }
  }

  private static void halfHellos(Siege siege) throws IOException {
    byte[] hello = hello(NodeIds.of(siege.place()), SOMEBODY, 1);
    for (int i = 0; i < siege.part(STRANGERS) && siege.goesOn(); i++) {
      siege.connect(siege.place().raft()).send(hello, hello.length / 2);
    }
    siege.rest();
  }

  private static void largeFrames(Siege siege) throws IOException {
    NodeIds ids = NodeIds.of(siege.place());
    byte[] more = new byte[MORE];
    while (siege.goesOn()) {
      long incarnation = seconds();
      List<HostileConnection> links = new ArrayList<>();
      for (int i = 0; i < LARGE_ONES; i++) {
        HostileConnection connection = link(siege, hello(ids, SOMEBODY + i, incarnation));
        connection.send(ByteBuffer.allocate(9).putInt(64 << 20).putInt(0).put(BATCH).array());
        links.add(connection);
      }
      for (int i = 0; i < (63 << 20) / MORE && siege.goesOn() && !links.isEmpty(); i++) {
        links.removeIf(link -> !link.send(more));
      }
      siege.pause(BETWEEN_MS);
    }
  }

  /** Sends a hello, and counts the answer of the node. */
  private static HostileConnection link(Siege siege, byte[] hello) throws IOException {
    HostileConnection connection = siege.connect(siege.place().raft());
    connection.startReading(
        bytes -> {
          if (bytes.remaining() > KIND_AT) {
            byte kind = bytes.get(KIND_AT);
            siege.tally().count(kind == WELCOME ? "welcome" : "frame of kind " + kind);
          }
        });
    connection.send(hello);
    return connection;
  }

  private static void lastIncarnation(Siege siege) throws IOException {
    NodeIds ids = NodeIds.of(siege.place());
    for (long member : ids.others().isEmpty() ? List.of(SOMEBODY) : ids.others()) {
      var unused = link(siege, hello(ids, member, Long.MAX_VALUE));
    }
    siege.pause(2_000);
  }

  /** One that rises, as those of members do, and is within the bound of the format. */
  private static long seconds() {
    return System.currentTimeMillis() / 1_000;
  }

  /**
   * From somebody who is no member, and in the name of each who is: of an incarnation out of reach,
   * since one within reach would keep the member itself out.
   */
  private static void lastTerm(Siege siege) throws IOException {
    NodeIds ids = NodeIds.of(siege.place());
    List<Long> members = new ArrayList<>(ids.others());
    members.add(SOMEBODY / 2); // not one of those who were here before
    for (long member : members) {
      long incarnation = ids.others().contains(member) ? Long.MAX_VALUE : seconds();
      for (byte[] message : messages(Long.MAX_VALUE)) {
        HostileConnection connection = link(siege, hello(ids, member, incarnation));
        siege.pause(BETWEEN_MS);
        connection.send(frame(message));
        siege.pause(BETWEEN_MS);
      }
    }
    siege.pause(2_000);
  }

  private static List<byte[]> messages(long term) {
    ByteBuffer vote = ByteBuffer.allocate(27).put(BATCH).put(VOTE_REQUEST).putLong(term);
    vote.putLong(Long.MAX_VALUE - 1).putLong(term - 1).put(HAND_OVER_FLAG);
    ByteBuffer heartbeat = ByteBuffer.allocate(26).put(BATCH).put(HEARTBEAT).putLong(term);
    ByteBuffer append = ByteBuffer.allocate(46).put(BATCH).put(APPEND_REQUEST).putLong(term);
    return List.of(heartbeat.array(), append.array(), vote.array());
  }

  private static byte[] hello(NodeIds ids, long from, long incarnation) {
    byte[] address = "127.0.0.1:1".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer body = ByteBuffer.allocate(50 + address.length);
    body.put(HELLO).putLong(MAGIC).putShort((short) 1).put((byte) 1);
    body.putLong(ids.cluster()).putInt(0).putLong(from).putLong(incarnation);
    body.putLong(ids.member()).putShort((short) address.length).put(address);
    return frame(java.util.Arrays.copyOf(body.array(), body.position()));
  }

  private static byte[] frame(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    return ByteBuffer.allocate(8 + body.length)
        .putInt(body.length)
        .putInt((int) crc.getValue())
        .put(body)
        .array();
  }

  /** Frames as Akka sends them without TLS. */
  static void arteryLengths(Siege siege) throws IOException {
    int[] lengths = {Integer.MAX_VALUE, -1, 0, -4, Integer.MIN_VALUE, 1_000, 256 << 10};
    while (siege.goesOn()) {
      for (int length : lengths) {
        for (byte stream = 1; stream <= 3; stream++) {
          HostileConnection connection = siege.connect(siege.place().cluster());
          connection.startReading();
          ByteBuffer begin = ByteBuffer.allocate(9 + 1_000).order(ByteOrder.LITTLE_ENDIAN);
          connection.send(begin.put(AKKA).put(stream).putInt(length).array());
          for (int i = 0; i < 20 && connection.send(new byte[MORE]); i++) {}
        }
      }
      siege.pause(BETWEEN_MS * 10);
    }
  }
}
