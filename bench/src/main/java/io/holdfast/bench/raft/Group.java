package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Three members as processes on loopback, each with a directory of its own below one root. */
final class Group implements AutoCloseable {

  /** Something a member told. */
  record Told(int member, String line, long atNanos) {}

  static final int SIZE = 3;
  private static final int LEADER_WITHIN_SECONDS = 60;

  private final Path root;
  private final long snapshotAfterBytes;
  private final boolean forgetful;
  private final List<String> addresses = new ArrayList<>();
  private final MemberHandle[] members = new MemberHandle[SIZE];
  private final List<Told> told = new CopyOnWriteArrayList<>();
  private final AckedNumbers acked = new AckedNumbers();

  Group(Path root, long snapshotAfterBytes) throws IOException {
    this(root, snapshotAfterBytes, /* forgetful= */ false);
  }

  /**
   * Members that do not run yet.
   *
   * @param forgetful true if the end of a process loses its unsynced writes
   */
  Group(Path root, long snapshotAfterBytes, boolean forgetful) throws IOException {
    this.root = root;
    this.snapshotAfterBytes = snapshotAfterBytes;
    this.forgetful = forgetful;
    List<ServerSocket> held = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      addresses.add("127.0.0.1:" + held.get(i).getLocalPort());
    }
    for (ServerSocket socket : held) {
      socket.close();
    }
  }

  /** Starts all, and waits until one leads. */
  static Group started(Path root, long snapshotAfterBytes) throws IOException {
    Group group = new Group(root, snapshotAfterBytes);
    group.startAll();
    group.awaitLeader();
    return group;
  }

  /** Starts all at the same time. */
  void startAll() {
    for (int i = 0; i < SIZE; i++) {
      launch(i);
    }
    for (MemberHandle member : members) {
      member.awaitReady();
    }
  }

  void start(int member) {
    launch(member);
    members[member].awaitReady();
  }

  private void launch(int member) {
    try {
      Path data = Files.createDirectories(root.resolve("member-" + member));
      members[member] =
          new MemberHandle(
              data,
              addresses.get(member),
              String.join(",", addresses),
              snapshotAfterBytes,
              forgetful,
              line -> tell(member, line));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tell(int member, String line) {
    if (line.startsWith("acked ")) {
      acked.acknowledged(Long.parseLong(line.substring(6)));
    } else if (line.startsWith("refused ")) {
      acked.refused(Long.parseLong(line.substring(8)));
    } else {
      told.add(new Told(member, line, System.nanoTime()));
    }
  }

  MemberHandle member(int index) {
    return members[index];
  }

  AckedNumbers acked() {
    return acked;
  }

  /** The member that leads now, by its own word and that of a majority. */
  int awaitLeader() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LEADER_WITHIN_SECONDS);
    while (System.nanoTime() < deadline) {
      for (int i = 0; i < SIZE; i++) {
        if (isUp(i) && members[i].ask("status").startsWith("LEADER")) {
          if (members[i].ask("barrier").startsWith("safe")) {
            return i;
          }
        }
      }
      pause(20);
    }
    throw new IllegalStateException("nobody leads: " + told);
  }

  boolean isUp(int member) {
    return members[member] != null && members[member].isAlive();
  }

  /** The first thing told after a moment that fits, by the member's own clock; -1 if none came. */
  long awaitTold(long afterNanos, long withinMs, Predicate<Told> fits) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs);
    while (System.nanoTime() < deadline) {
      for (Told each : told) {
        String[] words = each.line.split(" ", -1);
        long at = Long.parseLong(words[words.length - 1]);
        if (at > afterNanos && fits.test(each)) {
          return at;
        }
      }
      pause(1);
    }
    return -1;
  }

  int countTold(String prefix) {
    return (int) told.stream().filter(each -> each.line.startsWith(prefix)).count();
  }

  /** The CPU time of all members together. */
  long cpuNanos() {
    long sum = 0;
    for (MemberHandle member : members) {
      sum += Long.parseLong(member.ask("cpu"));
    }
    return sum;
  }

  @Override
  public void close() {
    killAll();
  }

  /** Ends all processes with kill -9, without waiting for one before the next. */
  void killAll() {
    for (int i = 0; i < SIZE; i++) {
      if (isUp(i)) {
        members[i].beginKill();
      }
    }
    for (int i = 0; i < SIZE; i++) {
      if (members[i] != null) {
        members[i].kill();
      }
    }
  }

  static void pause(long ms) {
    java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
  }
}
