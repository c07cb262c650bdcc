package io.holdfast.raft.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one thread beside that of the links. It does what may block: it asks for the addresses of
 * names, and computes what TLS delegates. It exists only while there is such work.
 *
 * <p>What it was asked is bounded by who asks: one thing for each connection.
 */
final class ResolverThread {

  private static final Pattern NUMERIC =
      Pattern.compile(
          "(%1$s\\.){3}%1$s|\\[[0-9a-fA-F:.]+]".formatted("(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"));
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          work -> {
            Thread made = new Thread(work, "raft-link-resolver");
            made.setDaemon(true);
            return made;
          });
  private final Queue<Runnable> done = new ConcurrentLinkedQueue<>();
  private final Runnable wakeup;

  /**
   * Prepares the thread.
   *
   * @param wakeup lets the caller's thread know that {@link #deliver} has something to do
   */
  ResolverThread(Runnable wakeup) {
    this.wakeup = wakeup;
    thread.allowCoreThreadTimeOut(true);
  }

  /** Does the work over there, and what follows from it in {@link #deliver}. */
  void run(Runnable work, Runnable then) {
    thread.execute(
        () -> {
          try {
            work.run();
          } finally {
            done.add(then);
            wakeup.run();
          }
        });
  }

  /** Finds the address of {@code host:port}; a numeric one at once, null if there is none. */
  void resolve(String address, Consumer<@Nullable InetSocketAddress> found) {
    int colon = address.lastIndexOf(':');
    String host = colon < 0 ? address : address.substring(0, colon);
    int port = port(address, colon);
    if (port < 0 || NUMERIC.matcher(host).matches()) {
      found.accept(port < 0 ? null : lookUp(host, port));
      return;
    }
    var result =
        new Object() {
          volatile @Nullable InetSocketAddress address;
        };
    run(() -> result.address = lookUp(host, port), () -> found.accept(result.address));
  }

  /** Runs what follows from finished work, on the caller's thread. */
  void deliver() {
    Runnable then = done.poll();
    while (then != null) {
      then.run();
      then = done.poll();
    }
  }

  void close() {
    thread.shutdownNow();
  }

  private static int port(String address, int colon) {
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      return port > 0 && port <= 65_535 ? port : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static @Nullable InetSocketAddress lookUp(String host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
