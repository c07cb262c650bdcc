package io.holdfast.raft.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** The wire of unencrypted bytes: the socket itself. */
record PlainWire(SocketChannel channel) implements Wire {

  @Override
  public int read(ByteBuffer into) throws IOException {
    return channel.read(into);
  }

  @Override
  public boolean holdsMore() {
    return false;
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    channel.write(from);
  }

  @Override
  public int interest(boolean writing) {
    return writing ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
  }

  @Override
  public void close() {}
}
