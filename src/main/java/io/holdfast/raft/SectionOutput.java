package io.holdfast.raft;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * One part of a longer stream, whose length nobody knows beforehand: pieces, each behind its
 * length, and a piece of length 0 at the end.
 */
final class SectionOutput extends OutputStream {

  private static final int PIECE_BYTES = 64 << 10;

  private final DataOutputStream out;
  private final byte[] piece = new byte[PIECE_BYTES];
  private int filled;

  SectionOutput(DataOutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int at = offset; at < offset + length; ) {
      int part = Math.min(piece.length - filled, offset + length - at);
      System.arraycopy(bytes, at, piece, filled, part);
      filled += part;
      at += part;
      if (filled == piece.length) {
        writePiece();
      }
    }
  }

  /** Nothing follows in this part. */
  void end() throws IOException {
    writePiece();
    out.writeInt(0);
  }

  private void writePiece() throws IOException {
    if (filled > 0) {
      out.writeInt(filled);
      out.write(piece, 0, filled);
      filled = 0;
    }
  }
}
