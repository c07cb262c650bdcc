package holdfast.bench.locks;

import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;

/** Finds the part of a node that a stack belongs to: that of its topmost known frame. */
final class Parts {

  private record Part(String prefix, String name) {}

  /* The first prefix that fits counts, so a longer one stands before a shorter one. */
  private static final List<Part> KNOWN =
      List.of(
          new Part("holdfast.raft.core.", "raft: core"),
          new Part("holdfast.raft.log.", "raft: log, with sync"),
          new Part("holdfast.raft.link.", "raft: links"),
          new Part("holdfast.raft.", "raft: thread"),
          new Part("holdfast.journal.state.", "journal: apply"),
          new Part("holdfast.journal.EntryCodec", "journal: bytes"),
          new Part("holdfast.journal.EventCodec", "journal: bytes"),
          new Part("holdfast.journal.", "journal: plugin, store"),
          new Part("holdfast.internal.", "journal: bytes"),
          new Part("holdfast.coordination.", "coordination"),
          new Part("holdfast.watch.", "watch"),
          new Part("holdfast.entity.LockMessageSerializer", "entity: messages between nodes"),
          new Part("holdfast.entity.ClusterProto", "entity: messages between nodes"),
          new Part("holdfast.entity.", "entity"),
          new Part("holdfast.lock.", "lock: rules"),
          new Part("holdfast.grpc.guard.", "edge: frame guard"),
          new Part("holdfast.grpc.", "edge"),
          new Part("holdfast.v1.", "edge: bytes of frames"),
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
