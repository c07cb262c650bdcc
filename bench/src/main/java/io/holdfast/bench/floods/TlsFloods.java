package io.holdfast.bench.floods;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** Handshakes of TLS, with clients and with members, that cost the node more than the attacker. */
final class TlsFloods {

  private static final int HALF_ONES = 2_000;
  private static final int RECORD = 16_384;

  private TlsFloods() {}

  static List<Attack> all() {
    return List.of(
        Attack.secured(
            "tls-half-handshakes",
            "2,000 clients that stop within the first message of a handshake",
            siege -> half(siege, siege.place().grpc())),
        Attack.secured(
            "tls-unanswered",
            "handshakes that the node answers, and nobody goes on with",
            siege -> unanswered(siege, siege.place().grpc())),
        Attack.secured(
            "tls-garbage",
            "records that make no sense",
            siege -> garbage(siege, siege.place().grpc())),
        Attack.secured(
            "tls-raft-half-handshakes",
            "2,000 members that stop within the first message of a handshake",
            siege -> half(siege, siege.place().raft())),
        Attack.secured(
            "tls-raft-unanswered",
            "handshakes with a member that nobody goes on with",
            siege -> unanswered(siege, siege.place().raft())),
        Attack.secured(
            "tls-raft-garbage",
            "records that make no sense, to a member",
            siege -> garbage(siege, siege.place().raft())),
        Attack.secured(
            "tls-artery-half-handshakes",
            "2,000 connections to Akka's port that stop within the first message of a handshake",
            siege -> half(siege, siege.place().cluster())),
        Attack.secured(
            "tls-artery-unanswered",
            "handshakes at Akka's port that nobody goes on with",
            siege -> unanswered(siege, siege.place().cluster())),
        Attack.secured(
            "tls-artery-garbage",
            "records that make no sense, to Akka's port",
            siege -> garbage(siege, siege.place().cluster())),
        Attack.secured(
            "tls-artery-lengths",
            "frames of Akka's links in clear text, of impossible lengths",
            MemberFloods::arteryLengths));
  }

  private static void half(Siege siege, int port) throws IOException {
    byte[] hello = hello();
    for (int i = 0; i < siege.part(HALF_ONES) && siege.goesOn(); i++) {
      siege.connect(port).send(hello, hello.length / 2);
    }
    siege.rest();
  }

  private static void unanswered(Siege siege, int port) throws IOException {
    byte[] hello = hello();
    while (siege.goesOn()) {
      HostileConnection connection = siege.connect(port);
      connection.send(hello);
      siege.pause(2);
    }
  }

  private static void garbage(Siege siege, int port) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    byte[] record = new byte[RECORD];
    while (siege.goesOn()) {
      HostileConnection connection = siege.connect(port);
      connection.startReading();
      random.nextBytes(record);
      record[0] = 22; // a handshake, of TLS 1.2, as long as it is
      record[1] = 3;
      record[2] = 3;
      record[3] = (byte) ((RECORD - 5) >> 8);
      record[4] = (byte) (RECORD - 5);
      for (int i = 0; i < 10 && connection.send(record); i++) {}
      connection.close();
      siege.pause(2);
    }
  }

  /** The first words of a client. */
  private static byte[] hello() throws IOException {
    try {
      SSLEngine engine = SSLContext.getDefault().createSSLEngine("127.0.0.1", 1);
      engine.setUseClientMode(true);
      ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.beginHandshake();
      engine.wrap(ByteBuffer.allocate(0), out);
      return java.util.Arrays.copyOf(out.array(), out.position());
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
  }
}
