package io.holdfast.raft;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads a part that a {@link SectionOutput} wrote, and ends where the part ends. */
final class SectionInput extends InputStream {

  private final DataInputStream in;
  private int left;
  private boolean ended;

  SectionInput(DataInputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0 && !ended) {
      left = in.readInt();
      ended = left == 0;
      if (left < 0) {
        throw new IOException("a piece of [" + left + "] bytes");
      }
    }
    if (ended) {
      return -1;
    }
    int read = in.read(into, offset, Math.min(length, left));
    if (read < 0) {
      throw new EOFException("the stream ends within a part");
    }
    left -= read;
    return read;
  }

  /** Passes over what its reader left. */
  void skipRest() throws IOException {
    byte[] passed = new byte[8 << 10];
    int read = 0;
    while (read >= 0) {
      read = read(passed, 0, passed.length);
    }
  }
}
