package io.holdfast.raft.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * The wire of bytes under TLS.
 *
 * <p>The TLS handshake happens within {@link #read} and {@link #write}, which move nothing until it
 * is done. Its long computations are done by the {@link ResolverThread}; meanwhile the wire waits
 * for nothing at the socket.
 */
final class TlsWire implements Wire {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int ENCRYPTED_BYTES = 64 << 10;

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final ResolverThread resolver;
  private final Runnable resume;

  /** Encrypted bytes from the socket; being filled. */
  private ByteBuffer arrived;

  /** Decrypted bytes that nobody has taken; being emptied. */
  private ByteBuffer clear;

  /** Encrypted bytes that are not yet written; being emptied. */
  private final ByteBuffer leaving;

  private boolean computing;
  private boolean more;
  private boolean ended;

  /**
   * Prepares the handshake.
   *
   * @param resume is called on the thread of the links when the wire can go on
   */
  TlsWire(SocketChannel channel, SSLEngine engine, ResolverThread resolver, Runnable resume)
      throws SSLException {
    this.channel = channel;
    this.engine = engine;
    this.resolver = resolver;
    this.resume = resume;
    engine.beginHandshake();
    arrived = ByteBuffer.allocateDirect(ENCRYPTED_BYTES);
    leaving = ByteBuffer.allocateDirect(ENCRYPTED_BYTES).flip();
    clear = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int before = into.position();
    more = false;
    while (take(into) && !ended && !computing) {
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        compute();
      } else if (status == HandshakeStatus.NEED_WRAP) {
        if (!send() || wrap(NOTHING) == SSLEngineResult.Status.CLOSED) {
          break;
        }
        send();
      } else if (!unwrap()) {
        break;
      }
    }
    return ended && into.position() == before ? -1 : into.position() - before;
  }

  @Override
  public boolean holdsMore() {
    return more || ended;
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    while (send() && !computing) {
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        compute();
      } else if (status == HandshakeStatus.NEED_UNWRAP
          || (status != HandshakeStatus.NEED_WRAP && !from.hasRemaining())) {
        return;
      } else if (wrap(from) == SSLEngineResult.Status.CLOSED) {
        throw new SSLException("the other end has closed the encryption");
      }
    }
  }

  @Override
  public int interest(boolean writing) {
    if (computing) {
      return 0;
    }
    boolean handshaking = engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP;
    return leaving.hasRemaining() || (writing && !handshaking)
        ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
        : SelectionKey.OP_READ;
  }

  @Override
  public void close() {
    if (computing) {
      return;
    }
    try {
      if (send()) {
        engine.closeOutbound();
        wrap(NOTHING);
        send();
      }
    } catch (IOException e) {
      // The closing message is not needed: the other end sees the socket close.
    }
  }

  /** Hands over what was decrypted. Returns whether there is room for more. */
  private boolean take(ByteBuffer into) {
    int count = Math.min(clear.remaining(), into.remaining());
    into.put(into.position(), clear, clear.position(), count);
    into.position(into.position() + count);
    clear.position(clear.position() + count);
    more = !into.hasRemaining();
    return !more;
  }

  /** Decrypts one record. Returns whether it may go on. */
  private boolean unwrap() throws IOException {
    arrived.flip();
    clear.clear();
    SSLEngineResult result;
    try {
      result = engine.unwrap(arrived, clear);
    } finally {
      arrived.compact();
      clear.flip();
    }
    switch (result.getStatus()) {
      case BUFFER_UNDERFLOW -> {
        if (!arrived.hasRemaining()) {
          int wanted = Math.max(2 * arrived.capacity(), engine.getSession().getPacketBufferSize());
          arrived = ByteBuffer.allocateDirect(wanted).put(arrived.flip());
        }
        int count = channel.read(arrived);
        ended = count < 0;
        return count > 0;
      }
      case BUFFER_OVERFLOW ->
          clear =
              ByteBuffer.allocate(
                      Math.max(
                          2 * clear.capacity(), engine.getSession().getApplicationBufferSize()))
                  .flip();
      case CLOSED -> ended = true;
      case OK -> {}
    }
    return true;
  }

  /** Encrypts as many records as there is room for. */
  private SSLEngineResult.Status wrap(ByteBuffer from) throws IOException {
    leaving.clear();
    try {
      SSLEngineResult result = engine.wrap(from, leaving);
      while (result.getStatus() == SSLEngineResult.Status.OK
          && from.hasRemaining()
          && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
          && leaving.remaining() >= engine.getSession().getPacketBufferSize()) {
        result = engine.wrap(from, leaving);
      }
      return result.getStatus();
    } finally {
      leaving.flip();
    }
  }

  /** Writes what was encrypted. Returns whether nothing is left. */
  private boolean send() throws IOException {
    if (leaving.hasRemaining()) {
      channel.write(leaving);
    }
    return !leaving.hasRemaining();
  }

  private void compute() {
    List<Runnable> tasks = new ArrayList<>();
    Runnable task = engine.getDelegatedTask();
    while (task != null) {
      tasks.add(task);
      task = engine.getDelegatedTask();
    }
    computing = true;
    resolver.run(
        () -> tasks.forEach(Runnable::run),
        () -> {
          computing = false;
          resume.run();
        });
  }
}
