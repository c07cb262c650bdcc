package io.holdfast.bench.persist;

import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;

/**
 * Finds the room on the path of a persist that a stack belongs to: that of its topmost known frame.
 */
final class Rooms {

  private record Room(String prefix, String name) {}

  /* The first prefix that fits counts, so a longer one stands before a shorter one. */
  private static final List<Room> KNOWN =
      List.of(
          new Room("io.holdfast.raft.core.", "raft: core"),
          new Room("io.holdfast.raft.log.", "raft: log, with sync"),
          new Room("io.holdfast.raft.link.", "raft: links"),
          new Room("io.holdfast.raft.", "raft: thread"),
          new Room("io.holdfast.journal.state.", "journal: apply"),
          new Room("io.holdfast.journal.EntryCodec", "journal: bytes of entries"),
          new Room("io.holdfast.journal.EventCodec", "journal: bytes of events"),
          new Room("io.holdfast.journal.JournalStateMachine", "journal: machine"),
          new Room("io.holdfast.journal.HoldfastJournal", "journal: plugin"),
          new Room("io.holdfast.journal.WriteReplies", "journal: plugin"),
          new Room("io.holdfast.journal.", "journal: store"),
          new Room("io.holdfast.coordination.", "coordination"),
          new Room("io.holdfast.bench.", "load"),
          new Room("akka.persistence.journal.", "Akka: journal actor"),
          new Room("akka.persistence.typed.", "Akka: persistent actor"),
          new Room("akka.persistence.", "Akka: persistence, other"),
          new Room("akka.serialization.", "journal: bytes of events"),
          new Room("org.slf4j.", "context of the log"),
          new Room("ch.qos.logback.", "context of the log"),
          new Room("akka.actor.typed.internal.ActorMdc", "context of the log"),
          new Room("akka.dispatch.", "Akka: dispatch"),
          new Room("akka.actor.", "Akka: dispatch"),
          new Room("akka.pattern.", "Akka: futures, breaker"),
          new Room("scala.concurrent.impl.Promise", "Akka: futures, breaker"),
          new Room("scala.concurrent.impl.Future", "Akka: futures, breaker"));

  private Rooms() {}

  static String of(RecordedStackTrace stack) {
    for (RecordedFrame frame : stack.getFrames()) {
      String method = frame.getMethod().getType().getName() + ".";
      for (Room room : KNOWN) {
        if (method.startsWith(room.prefix)) {
          return room.name;
        }
      }
    }
    return "JDK";
  }
}
