package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Several members' links in one process, over real sockets, polled in turns by one thread. */
final class LinkWorld implements AutoCloseable {

  static final long CLUSTER = 77;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<End> ends = new ArrayList<>();
  private final List<End> left = new ArrayList<>();
  private final long startNanos = System.nanoTime();
  private long skippedMs;

  /** One member's links, and what they told. */
  static final class End implements LinkEvents {

    final MemberId id;
    final List<Message> received = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    private @Nullable TcpLinks links;
    private boolean believesNothing;

    End(MemberId id) {
      this.id = id;
    }

    TcpLinks links() {
      if (links == null) {
        throw new IllegalStateException("not open");
      }
      return links;
    }

    Peer peer() {
      return new Peer(id, "127.0.0.1:" + links().port());
    }

    long established() {
      return links().counters().established();
    }

    boolean wasTold(String what) {
      return told.contains(what);
    }

    void believeNothing() {
      believesNothing = true;
    }

    @Override
    public void received(Message message) {
      if (believesNothing) {
        throw new ImplausibleMessage("told to");
      }
      received.add(message);
    }

    @Override
    public void connectionLost(MemberId peer) {
      told.add("lost " + peer.value());
    }

    @Override
    public void peerGone(MemberId peer) {
      told.add("gone " + peer.value());
    }

    @Override
    public byte[] asked(byte[] question) {
      byte[] answer = question.clone();
      for (int i = 0; i < answer.length; i++) {
        answer[i]++;
      }
      return answer;
    }
  }

  /** The options of opening a member. */
  record Opening(
      long id,
      long incarnation,
      int group,
      long cluster,
      int port,
      LinkSettings settings,
      @Nullable LinkSecurity security) {

    static Opening of(long id) {
      return new Opening(id, 1, 0, CLUSTER, 0, LinkSettings.USUAL, null);
    }

    String address() {
      return port == 0 ? "here:1" : "127.0.0.1:" + port;
    }

    Opening incarnation(long other) {
      return new Opening(id, other, group, cluster, port, settings, security);
    }

    Opening group(int other) {
      return new Opening(id, incarnation, other, cluster, port, settings, security);
    }

    Opening cluster(long other) {
      return new Opening(id, incarnation, group, other, port, settings, security);
    }

    Opening port(int other) {
      return new Opening(id, incarnation, group, cluster, other, settings, security);
    }

    Opening settings(LinkSettings other) {
      return new Opening(id, incarnation, group, cluster, port, other, security);
    }

    Opening security(LinkSecurity other) {
      return new Opening(id, incarnation, group, cluster, port, settings, other);
    }
  }

  End open(long id) {
    return open(Opening.of(id));
  }

  End open(Opening opening) {
    End end = new End(new MemberId(opening.id()));
    LongSupplier clock = () -> (System.nanoTime() - startNanos) / 1_000_000 + skippedMs;
    try {
      end.links =
          TcpLinks.open(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), opening.port()),
              new LinkIdentity(end.id, opening.incarnation(), opening.group(), opening.address()),
              opening.settings(),
              opening.security(),
              end,
              clock,
              opening.id());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    end.links().belongTo(opening.cluster());
    ends.add(end);
    return end;
  }

  /** A port that nobody listens on. */
  int freePort() {
    End passing = open(1_000);
    int port = passing.links().port();
    kill(passing);
    return port;
  }

  /** Two members that keep each other, linked in both directions. */
  void link(End one, End other) {
    long before = one.established();
    long beforeOther = other.established();
    one.links().keep(List.of(other.peer()));
    other.links().keep(List.of(one.peer()));
    until(
        "both linked",
        () -> one.established() >= before + 2 && other.established() >= beforeOther + 2);
  }

  /** Ends a member as the end of its process would: all its sockets are closed by its kernel. */
  void kill(End end) {
    ends.remove(end);
    end.links().close();
  }

  /** Stops polling a member: its sockets stay open, as those of a machine without power. */
  void leave(End end) {
    ends.remove(end);
    left.add(end);
  }

  /** Lets the clock jump. */
  void skip(long ms) {
    skippedMs += ms;
  }

  void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(what + ": not within " + PATIENCE + ", but " + story());
      }
      poll();
    }
  }

  /** Gives everything that may happen the time to happen. */
  void settle(long ms) {
    long end = System.nanoTime() + ms * 1_000_000;
    while (System.nanoTime() - end < 0) {
      poll();
    }
  }

  private void poll() {
    for (End each : List.copyOf(ends)) {
      each.links().flush();
      each.links().poll(1);
    }
  }

  private String story() {
    StringBuilder story = new StringBuilder();
    ends.forEach(
        end ->
            story.append(
                " [%s received %d, told %s]".formatted(end.id, end.received.size(), end.told)));
    return story.toString();
  }

  @Override
  public void close() {
    ends.forEach(end -> end.links().close());
    left.forEach(end -> end.links().close());
  }
}
