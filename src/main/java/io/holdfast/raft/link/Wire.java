package io.holdfast.raft.link;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The way of bytes through one connected socket, plain or encrypted. It never blocks. */
interface Wire {

  /**
   * Reads what has arrived, as far as there is room.
   *
   * @return the number of bytes that came, or -1 at the end of the stream
   */
  int read(ByteBuffer into) throws IOException;

  /** True if it holds bytes that another {@link #read} would give without the socket. */
  boolean holdsMore();

  /** Takes what the socket takes of the bytes. */
  void write(ByteBuffer from) throws IOException;

  /**
   * The operations to wait for at the socket, as in a selection key, while bytes wait to be
   * written.
   */
  int interest(boolean writing);

  /**
   * Sends the closing message of its protocol, if it has one. The socket is closed by its owner.
   */
  void close();
}
