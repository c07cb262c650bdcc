package io.holdfast.raft.link;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One socket, its wire, and what waits to be read and written.
 *
 * <p>Its subclasses handle its frames. It ends once, with a reason.
 */
abstract class Connection implements SocketHandler {

  /** The most reads of a connection in a row, while others wait. */
  private static final int MAX_READS = 8;

  /** Before this, a failure to connect is an answer of the other kernel, not the lack of one. */
  private static final long KERNEL_RETRY_MS = 1000;

  final LinkContext context;
  final FrameInput input;
  final FrameOutput output;

  private final SocketChannel channel;
  private final @Nullable String dialed;
  private final SelectionKey key;
  private final long sinceMs;
  private @Nullable Wire wire;
  private int interest;
  private boolean blocked;
  private boolean over;
  private long lastWhole;

  /**
   * Takes a socket.
   *
   * @param dialed the address to dial; null if the socket was accepted
   */
  Connection(
      LinkContext context,
      SocketChannel channel,
      @Nullable String dialed,
      FrameInput input,
      FrameOutput output)
      throws IOException {
    this.context = context;
    this.channel = channel;
    this.dialed = dialed;
    this.input = input;
    this.output = output;
    this.sinceMs = context.now();
    try {
      context.prepare(channel);
      this.key = channel.register(context.selector, 0, this);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    context.register(this);
    this.lastWhole = context.nextFrame();
  }

  /** A frame arrived; its kind has been read, the rest of its body has not. */
  abstract void frame(byte kind, ByteBuffer body) throws IOException;

  /** Bytes arrived, or left after they had to wait. */
  abstract void alive();

  /** The socket is connected. */
  abstract void connected();

  /** Receives the time, and asks for its next tick. */
  abstract void tick(long now);

  /** The connection has ended. Called once, and not for {@link #discard}. */
  abstract void ended(LinkEnding ending, String why);

  final boolean isOver() {
    return over;
  }

  /** The number of the last frame that arrived whole: the lower, the longer it waits for one. */
  final long lastWhole() {
    return lastWhole;
  }

  final boolean isConnecting() {
    return wire == null;
  }

  /** Begins with a socket that was accepted. */
  final void begin() {
    try {
      open();
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Begins to connect the socket. */
  final void connect(SocketAddress address) {
    try {
      if (channel.connect(address)) {
        open();
      } else {
        listen(SelectionKey.OP_CONNECT);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  @Override
  public final void ready() {
    try {
      if (wire == null) {
        channel.finishConnect();
        open();
      } else {
        serve(wire, key.readyOps());
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Writes what waits, unless the socket was full and has not said otherwise since. */
  final void flush() {
    if (over || blocked || wire == null || output.pending() == 0) {
      return;
    }
    try {
      write(wire);
    } catch (IOException e) {
      // The next poll meets the same failure, and is the place to tell of it.
      blocked = true;
      listen(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }
  }

  final void end(LinkEnding ending, String why) {
    if (discard()) {
      ended(ending, why);
    }
  }

  /** Closes the socket without an event. Returns whether it was open. */
  final boolean discard() {
    if (over) {
      return false;
    }
    over = true;
    context.forget(this);
    if (wire != null) {
      wire.close();
    }
    try {
      channel.close();
    } catch (IOException e) {
      // There is nothing left to lose.
    }
    return true;
  }

  private void open() throws IOException {
    wire = context.wire(channel, dialed, this::resume);
    listen(wire.interest(false));
    connected();
  }

  private void resume() {
    if (over || wire == null) {
      return;
    }
    try {
      serve(wire, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    } catch (IOException e) {
      fail(e);
    }
  }

  private void serve(Wire wire, int operations) throws IOException {
    if ((operations & SelectionKey.OP_READ) != 0) {
      read(wire);
    }
    if (!over && (blocked || (operations & SelectionKey.OP_WRITE) != 0)) {
      int before = output.pending();
      write(wire);
      if (output.pending() < before) {
        alive();
      }
    }
    if (!over) {
      listen(wire.interest(blocked));
    }
  }

  private void read(Wire wire) throws IOException {
    int reads = 0;
    do {
      context.makeRoom(this);
      if (over) {
        return;
      }
      int count = input.readFrom(wire);
      if (count < 0) {
        end(LinkEnding.CUT, "the other end closed it");
        return;
      }
      if (count > 0) {
        alive();
      }
      ByteBuffer body = input.next();
      while (body != null) {
        lastWhole = context.nextFrame();
        frame(body.get(), body);
        if (over) {
          return;
        }
        body = input.next();
      }
    } while (wire.holdsMore() || (input.isFull() && ++reads < MAX_READS));
  }

  private void write(Wire wire) throws IOException {
    blocked = !output.writeTo(wire);
    listen(wire.interest(blocked));
  }

  private void listen(int operations) {
    if (interest != operations) {
      interest = operations;
      key.interestOps(operations);
    }
  }

  private void fail(Exception e) {
    end(ending(e), String.valueOf(e.getMessage()));
  }

  private LinkEnding ending(Exception e) {
    if (e instanceof MalformedFrame || e instanceof SSLException) {
      return LinkEnding.UNTRUSTED;
    }
    boolean answered = context.now() - sinceMs < KERNEL_RETRY_MS;
    return wire == null && e instanceof ConnectException && answered
        ? LinkEnding.PORT_REFUSED
        : LinkEnding.CUT;
  }
}
