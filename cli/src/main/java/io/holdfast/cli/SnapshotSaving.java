package io.holdfast.cli;

import com.google.protobuf.ByteString;
import io.holdfast.v1.SnapshotResponse;
import io.holdfast.v1.SnapshotSum;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a copy on its way into a file, which is there as a whole or not at all: it is written
 * beside it, checked against the stream's own sum, forced to the disk, and then renamed.
 */
final class SnapshotSaving implements AutoCloseable {

  private static final int BUFFER_BYTES = 256 << 10;

  private final Path file;
  private final Path part;
  private final LongConsumer progress;
  private final FileChannel channel;
  private final OutputStream out;
  private final MessageDigest digest = ClusterSnapshotFile.sha256();
  private ClusterSnapshotFile.@Nullable Writer writer;
  private long size;
  private boolean isComplete;

  /**
   * Begins to write beside the file.
   *
   * @param progress is told how many bytes have come
   */
  SnapshotSaving(Path file, LongConsumer progress) throws IOException {
    this.file = file;
    this.part = beside(file);
    this.progress = progress;
    channel =
        FileChannel.open(
            part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), rights());
    out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
  }

  /* A name that nobody can know, and a file that is new: what somebody else has put there, a link
  to another file at that, is never written to. */
  private static Path beside(Path file) {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return file.resolveSibling(
        "%s.%s.part".formatted(file.getFileName(), HexFormat.of().formatHex(random)));
  }

  /** The copy is for its owner alone: it has all keys. */
  private static FileAttribute<?>[] rights() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /** Takes the next piece of the stream. */
  void take(SnapshotResponse piece) {
    try {
      switch (piece.getPieceCase()) {
        case HEADER -> writer = new ClusterSnapshotFile.Writer(out, piece.getHeader());
        case CHUNK -> chunk(piece.getChunk());
        case SUM -> end(piece.getSum());
        case PIECE_NOT_SET -> throw new IOException("a piece of the copy is not understood");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void chunk(ByteString chunk) throws IOException {
    byte[] bytes = chunk.toByteArray();
    begun().state(bytes);
    digest.update(bytes);
    size += bytes.length;
    progress.accept(size);
  }

  private void end(SnapshotSum sum) throws IOException {
    if (sum.getSize() != size || !sum.getSha256().equals(ByteString.copyFrom(digest.digest()))) {
      throw new IOException("what came is not what was sent: its sum is another");
    }
    begun().end();
    out.flush();
    channel.force(true);
    isComplete = true;
  }

  private ClusterSnapshotFile.Writer begun() throws IOException {
    ClusterSnapshotFile.Writer begun = writer;
    if (begun == null) {
      throw new IOException("the copy has no header");
    }
    return begun;
  }

  /** Gives the file its name. */
  void finish() throws IOException {
    if (!isComplete) {
      throw new IOException("the copy broke off");
    }
    channel.close();
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(part);
  }
}
