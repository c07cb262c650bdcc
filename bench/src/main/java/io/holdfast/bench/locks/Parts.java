package io.holdfast.bench.locks;

import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;

/** Finds the part of a node that a stack belongs to: that of its topmost known frame. */
final class Parts {

  private record Part(String prefix, String name) {}

  /* The first prefix that fits counts, so a longer one stands before a shorter one. */
  private static final List<Part> KNOWN =
      List.of(
          new Part("io.holdfast.raft.core.", "raft: core"),
          new Part("io.holdfast.raft.log.", "raft: log, with sync"),
          new Part("io.holdfast.raft.link.", "raft: links"),
          new Part("io.holdfast.raft.", "raft: thread"),
          new Part("io.holdfast.journal.state.", "journal: apply"),
          new Part("io.holdfast.journal.EntryCodec", "journal: bytes"),
          new Part("io.holdfast.journal.EventCodec", "journal: bytes"),
          new Part("io.holdfast.journal.", "journal: plugin, store"),
          new Part("io.holdfast.internal.", "journal: bytes"),
          new Part("io.holdfast.coordination.", "coordination"),
          new Part("io.holdfast.watch.", "watch"),
          new Part("io.holdfast.wire.LockMessageSerializer", "entity: messages between nodes"),
          new Part("io.holdfast.wire.LockCommandProto", "entity: messages between nodes"),
          new Part("io.holdfast.wire.LockAnswerProto", "entity: messages between nodes"),
          new Part("io.holdfast.wire.LeaseMessageProto", "entity: messages between nodes"),
          new Part("io.holdfast.entity.", "entity"),
          new Part("io.holdfast.lock.", "lock: rules"),
          new Part("io.holdfast.grpc.guard.", "edge: frame guard"),
          new Part("io.holdfast.grpc.", "edge"),
          new Part("io.holdfast.v1.", "edge: bytes of frames"),
          new Part("akka.persistence.", "Akka: persistence"),
          new Part("akka.cluster.sharding.", "Akka: sharding"),
          new Part("akka.cluster.", "Akka: cluster"),
          new Part("akka.remote.", "Akka: links"),
          new Part("akka.serialization.", "Akka: links"),
          new Part("akka.http.", "Akka: HTTP"),
          new Part("akka.grpc.", "Akka: gRPC"),
          new Part("akka.stream.", "Akka: streams"),
          new Part("akka.io.", "Akka: sockets"),
          new Part("akka.dispatch.", "Akka: dispatch"),
          new Part("akka.actor.", "Akka: dispatch"),
          new Part("akka.pattern.", "Akka: futures"),
          new Part("scala.concurrent.", "Akka: futures"),
          new Part("com.google.protobuf.", "protobuf"));

  private Parts() {}

  static String of(RecordedStackTrace stack) {
    for (RecordedFrame frame : stack.getFrames()) {
      String method = frame.getMethod().getType().getName() + ".";
      for (Part part : KNOWN) {
        if (method.startsWith(part.prefix)) {
          return part.name;
        }
      }
    }
    return "JDK";
  }
}
