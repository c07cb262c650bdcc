package io.holdfast.cli;

import io.holdfast.v1.SnapshotHeader;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A copy of a cluster's state as a file, which needs nothing else to be checked.
 *
 * <p>Numbers are big-endian: the magic {@code HOLDFAST}, the format (4 bytes), the length of the
 * header (4), the header, the state, the length of the state (8), and SHA-256 over all before.
 */
final class ClusterSnapshotFile {

  static final int FORMAT = 1;

  private static final byte[] MAGIC = {'H', 'O', 'L', 'D', 'F', 'A', 'S', 'T'};
  private static final int MAX_HEADER_BYTES = 1 << 20;
  private static final int SUM_BYTES = 32;
  private static final int PIECE_BYTES = 256 << 10;

  private ClusterSnapshotFile() {}

  /**
   * The checked content of a file.
   *
   * @param stateBytes the length of the state in it
   * @param sum of the whole file but itself, in hexadecimal
   */
  record Content(SnapshotHeader header, long stateBytes, String sum) {}

  /** Writes one: its beginning, the state in pieces, and at last the end. */
  static final class Writer {

    private final DigestOutputStream summed;
    private final DataOutputStream out;
    private long stateBytes;

    Writer(OutputStream file, SnapshotHeader header) throws IOException {
      summed = new DigestOutputStream(file, sha256());
      out = new DataOutputStream(summed);
      byte[] bytes = header.toByteArray();
      out.write(MAGIC);
      out.writeInt(FORMAT);
      out.writeInt(bytes.length);
      out.write(bytes);
    }

    void state(byte[] piece) throws IOException {
      out.write(piece);
      stateBytes += piece.length;
    }

    void end() throws IOException {
      out.writeLong(stateBytes);
      byte[] sum = summed.getMessageDigest().digest();
      summed.on(false);
      out.write(sum);
      out.flush();
    }
  }

  /** Reads all of a file and checks it; anything that is wrong is an {@code IOException}. */
  static Content read(Path file) throws IOException {
    long size = Files.size(file);
    MessageDigest digest = sha256();
    try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), PIECE_BYTES);
        DigestInputStream summed = new DigestInputStream(bytes, digest);
        DataInputStream in = new DataInputStream(summed)) {
      SnapshotHeader header = header(file, in);
      long stateBytes =
          size - MAGIC.length - 2L * Integer.BYTES - header(header) - Long.BYTES - SUM_BYTES;
      if (stateBytes < 0) {
        throw damaged(file, "it is cut off");
      }
      pass(in, stateBytes);
      if (in.readLong() != stateBytes) {
        throw damaged(file, "its length is not what it says");
      }
      byte[] sum = digest.digest();
      summed.on(false);
      if (!Arrays.equals(sum, in.readNBytes(SUM_BYTES))) {
        throw damaged(file, "its sum is another");
      }
      return new Content(header, stateBytes, HexFormat.of().formatHex(sum));
    } catch (EOFException e) {
      throw damaged(file, "it is cut off");
    }
  }

  private static SnapshotHeader header(Path file, DataInputStream in) throws IOException {
    if (!Arrays.equals(MAGIC, in.readNBytes(MAGIC.length))) {
      throw new IOException("[" + file + "] is no snapshot of a Holdfast cluster");
    }
    int format = in.readInt();
    if (format != FORMAT) {
      throw new IOException(
          "[%s] has format [%d], this command reads [%d]".formatted(file, format, FORMAT));
    }
    int length = in.readInt();
    if (length < 0 || length > MAX_HEADER_BYTES) {
      throw damaged(file, "its header has [" + length + "] bytes");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw damaged(file, "it is cut off");
    }
    try {
      return SnapshotHeader.parseFrom(bytes);
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw damaged(file, "its header cannot be read");
    }
  }

  private static int header(SnapshotHeader header) {
    return header.getSerializedSize();
  }

  private static void pass(InputStream in, long bytes) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    for (long left = bytes; left > 0; ) {
      int read = in.read(piece, 0, (int) Math.min(left, piece.length));
      if (read < 0) {
        throw new EOFException();
      }
      left -= read;
    }
  }

  private static IOException damaged(Path file, String what) {
    return new IOException("[" + file + "] is damaged: " + what);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
