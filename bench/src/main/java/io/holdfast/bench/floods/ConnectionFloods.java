package io.holdfast.bench.floods;

import io.holdfast.bench.cluster.Shell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Connections in numbers: to the clients' port, and to that of management. */
final class ConnectionFloods {

  private static final int MANY = 5_000;
  private static final int BEGUN_A_MS = 5;
  private static final int SLOW = 1_000;
  private static final int BODY_BYTES = 65_536;
  private static final int SPARE_DESCRIPTORS = 100;
  private static final byte[] GARBAGE = new byte[512];

  private ConnectionFloods() {}

  static List<Attack> all() {
    List<Attack> attacks = new ArrayList<>();
    attacks.add(
        Attack.plain(
            "idle-connections",
            "5,000 connections on which nothing comes",
            siege -> idle(siege, siege.place().grpc())));
    attacks.add(
        Attack.plain(
            "idle-http2",
            "5,000 connections that begin as HTTP/2 does, and rest",
            siege -> idleHttp2(siege)));
    attacks.add(
        Attack.plain(
            "connection-churn",
            "connections that are closed at once, 500 a second",
            siege -> churn(siege)));
    attacks.add(
        Attack.plain(
            "no-descriptors",
            "5,000 connections to a node that has 100 descriptors left",
            ConnectionFloods::withoutDescriptors));
    attacks.add(
        Attack.plain(
            "management-connections",
            "5,000 connections to management on which nothing comes",
            siege -> idle(siege, siege.place().management())));
    attacks.add(
        Attack.plain(
            "management-http2",
            "header blocks without end, as HTTP/2, to management",
            siege -> FrameFloods.continuation(siege, siege.place().management(), 16_384)));
    attacks.add(
        Attack.plain(
            "management-slow-headers",
            "1,000 requests to management whose headers come byte by byte",
            ConnectionFloods::slowHeaders));
    attacks.add(
        Attack.plain(
            "management-headers",
            "requests to management with headers without end",
            siege -> endless(siege, "GET /ready HTTP/1.1\r\nHost: a\r\nX: ")));
    attacks.add(
        Attack.plain(
            "management-body",
            "a request to management with a body without end",
            siege ->
                endless(siege, "POST /ready HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n")));
    attacks.add(garbage("clients", place -> place.grpc()));
    attacks.add(garbage("management", place -> place.management()));
    return attacks;
  }

  static Attack garbage(String where, ToIntFunction<io.holdfast.bench.cluster.NodePlace> port) {
    return Attack.plain(
        where + "-garbage",
        "connections that send what makes no sense",
        siege -> garbage(siege, port.applyAsInt(siege.place())));
  }

  private static void garbage(Siege siege, int port) throws IOException {
    java.util.SplittableRandom random = new java.util.SplittableRandom(1);
    while (siege.goesOn()) {
      HostileConnection connection = siege.connect(port);
      connection.startReading();
      random.nextBytes(GARBAGE);
      for (int i = 0; i < 100 && connection.send(GARBAGE); i++) {}
      connection.close();
      siege.pause(2);
    }
  }

  static void idle(Siege siege, int port) throws IOException {
    var unused = begin(siege, port);
    siege.rest();
  }

  private static List<HostileConnection> begin(Siege siege, int port) throws IOException {
    List<HostileConnection> begun = new ArrayList<>();
    for (int i = 0; i < siege.part(MANY) && siege.goesOn(); i++) {
      begun.add(siege.begin(port));
      if (i % BEGUN_A_MS == 0) {
        siege.pause(1);
      }
    }
    return begun;
  }

  private static void idleHttp2(Siege siege) throws IOException {
    List<HostileConnection> silent = begin(siege, siege.place().grpc());
    while (siege.goesOn()) {
      silent.removeIf(
          connection -> connection.isConnected() && connection.send(HostileHttp2.GREETING));
      siege.pause(100);
    }
  }

  private static void churn(Siege siege) throws IOException {
    while (siege.goesOn()) {
      siege.connect(siege.place().grpc()).close();
      siege.pause(2);
    }
  }

  private static void withoutDescriptors(Siege siege) throws IOException {
    String pid = Long.toString(siege.pid());
    long open;
    try (Stream<Path> descriptors = Files.list(Path.of("/proc", pid, "fd"))) {
      open = descriptors.count();
    }
    String most = Shell.run("prlimit", "--pid", pid, "--nofile", "-o", "HARD", "--noheadings");
    limit(pid, Long.toString(open + SPARE_DESCRIPTORS));
    try {
      idle(siege, siege.place().grpc());
    } finally {
      limit(pid, most.strip()); // a JVM takes all it may have
    }
  }

  private static void limit(String pid, String descriptors) {
    Shell.run("prlimit", "--pid", pid, "--nofile=" + descriptors + ":");
  }

  private static void slowHeaders(Siege siege) throws IOException {
    List<HostileConnection> connections = new ArrayList<>();
    for (int i = 0; i < siege.part(SLOW) && siege.goesOn(); i++) {
      HostileConnection connection = siege.connect(siege.place().management());
      connection.send("GET /ready HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
      connections.add(connection);
    }
    while (siege.goesOn()) {
      connections.forEach(connection -> connection.send(new byte[] {'x'}));
      siege.pause(1_000);
    }
  }

  private static void endless(Siege siege, String beginning) throws IOException {
    byte[] more = "x".repeat(BODY_BYTES).getBytes(StandardCharsets.US_ASCII);
    while (siege.goesOn()) {
      HostileConnection connection = siege.connect(siege.place().management());
      connection.startReading();
      connection.send(beginning.getBytes(StandardCharsets.US_ASCII));
      while (siege.goesOn() && connection.send(more)) {}
      connection.close();
      siege.pause(2);
    }
  }
}
