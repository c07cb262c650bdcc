package io.holdfast.bench.persist;

import io.holdfast.bench.raft.MemberHandle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Three nodes as processes on loopback, each with a directory of its own below one root. */
final class Nodes implements AutoCloseable {

  static final int SIZE = 3;
  private static final int READY_WITHIN_SECONDS = 60;

  private final List<MemberHandle> nodes = new ArrayList<>();

  private Nodes() {}

  /** Starts all, and waits until each has its session. */
  static Nodes started(Path root) throws IOException {
    List<String> addresses = freeAddresses();
    Nodes started = new Nodes();
    try {
      for (int i = 0; i < SIZE; i++) {
        started.nodes.add(
            new MemberHandle(
                NodeProcess.class,
                List.of(
                    root.resolve("node-" + i).toString(),
                    addresses.get(i),
                    String.join(",", addresses)),
                List.of(
                    "-Xms512m",
                    "-Xmx1g",
                    "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"),
                told -> {}));
      }
      started.nodes.forEach(MemberHandle::awaitReady);
      for (int i = 0; i < SIZE; i++) {
        started.awaitTrue(i, "acts");
      }
      return started;
    } catch (RuntimeException | IOException e) {
      started.close();
      throw e;
    }
  }

  private static List<String> freeAddresses() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    for (int i = 0; i < SIZE; i++) {
      held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
    List<String> addresses =
        held.stream().map(socket -> "127.0.0.1:" + socket.getLocalPort()).toList();
    for (ServerSocket socket : held) {
      socket.close();
    }
    return addresses;
  }

  private void awaitTrue(int node, String question) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_WITHIN_SECONDS);
    while (!nodes.get(node).ask(question).equals("true")) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("node [" + node + "] never said yes to " + question);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** The node that leads the log now, or one that follows it. */
  MemberHandle node(boolean leading) {
    return IntStream.range(0, SIZE)
        .mapToObj(nodes::get)
        .filter(node -> node.ask("leads").equals(Boolean.toString(leading)))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nobody leads"));
  }

  /** The CPU time of all nodes together. */
  long cpuNanos() {
    return nodes.stream().mapToLong(node -> Long.parseLong(node.ask("cpu"))).sum();
  }

  @Override
  public void close() {
    nodes.forEach(MemberHandle::beginKill);
    nodes.forEach(MemberHandle::kill);
  }
}
