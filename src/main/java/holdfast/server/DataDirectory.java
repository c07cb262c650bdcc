package holdfast.server;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import holdfast.coordination.NodeIdentity;
import holdfast.coordination.StartTokens;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a node keeps what must outlive it: who it is, and how often it has started. Held by one
 * process at a time.
 *
 * <p>Files: {@code lock} is locked while a node runs; {@code node} has the ids and the number of
 * starts, replaced atomically and synced before a start goes on.
 */
public final class DataDirectory implements AutoCloseable {

  private static final String FORMAT = "1";

  private final FileLock lock;
  private final NodeIdentity identity;
  private final long start;

  private DataDirectory(FileLock lock, NodeIdentity identity, long start) {
    this.lock = lock;
    this.identity = identity;
    this.start = start;
  }

  /**
   * Opens the directory, makes it if it is missing, and counts this start.
   *
   * @param random where a new directory's ids come from
   * @throws StartFailure if another process has it, or it cannot be read or written
   */
  public static DataDirectory open(Path directory, LongSupplier random) throws StartFailure {
    FileLock lock = null;
    try {
      Files.createDirectories(directory);
      lock = lock(directory);
      Path file = directory.resolve("node");
      Properties node = Files.exists(file) ? read(file) : create(random);
      long start = number(node, "starts", 10, file) + 1;
      if (start < 1 || start > StartTokens.MAX_START) {
        throw new IOException(
            "file [%s] is damaged: starts [%s]".formatted(file, node.getProperty("starts")));
      }
      NodeIdentity identity = identity(node, file);
      node.setProperty("starts", Long.toString(start));
      write(directory, file, node);
      DataDirectory opened = new DataDirectory(lock, identity, start);
      lock = null;
      return opened;
    } catch (IOException | SecurityException e) {
      throw new StartFailure(
          ExitCode.DATA_DIRECTORY,
          "the data directory [" + directory + "] cannot be used: " + reason(e));
    } finally {
      close(lock);
    }
  }

  public NodeIdentity identity() {
    return identity;
  }

  /** The number of this start, from 1. */
  public long start() {
    return start;
  }

  @Override
  public void close() {
    close(lock);
  }

  private static FileLock lock(Path directory) throws IOException, StartFailure {
    FileChannel channel = FileChannel.open(directory.resolve("lock"), CREATE, WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another node in this very process: the same as another process.
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new StartFailure(
          ExitCode.DATA_DIRECTORY,
          "the data directory [" + directory + "] is in use by another node");
    }
    return lock;
  }

  private static Properties create(LongSupplier random) {
    Properties node = new Properties();
    node.setProperty("format", FORMAT);
    node.setProperty("cluster", id(random));
    node.setProperty("member", id(random));
    node.setProperty("starts", "0");
    return node;
  }

  private static String id(LongSupplier random) {
    return Long.toHexString(Math.max(1, random.getAsLong() & Long.MAX_VALUE));
  }

  private static Properties read(Path file) throws IOException {
    Properties node = new Properties();
    try {
      node.load(new StringReader(Files.readString(file)));
    } catch (IllegalArgumentException e) {
      throw new IOException("file [" + file + "] is damaged: " + e.getMessage(), e);
    }
    if (!FORMAT.equals(node.getProperty("format"))) {
      throw new IOException(
          "file [" + file + "] has format [" + node.getProperty("format") + "], not [1]");
    }
    return node;
  }

  private static NodeIdentity identity(Properties node, Path file) throws IOException {
    try {
      return new NodeIdentity(number(node, "cluster", 16, file), number(node, "member", 16, file));
    } catch (IllegalArgumentException e) {
      throw new IOException("file [" + file + "] is damaged: " + e.getMessage(), e);
    }
  }

  private static long number(Properties node, String key, int radix, Path file) throws IOException {
    String text = node.getProperty(key, "");
    try {
      return Long.parseUnsignedLong(text, radix);
    } catch (NumberFormatException e) {
      throw new IOException("file [" + file + "] is damaged: " + key + " [" + text + "]", e);
    }
  }

  private static void write(Path directory, Path file, Properties node) throws IOException {
    StringBuilder text = new StringBuilder("# Made by Holdfast. Do not edit, do not copy.\n");
    for (String key : new String[] {"format", "cluster", "member", "starts"}) {
      text.append(key).append('=').append(node.getProperty(key)).append('\n');
    }
    Path next = directory.resolve("node.next");
    try (FileChannel channel = FileChannel.open(next, CREATE, TRUNCATE_EXISTING, WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(/* metaData= */ true);
    }
    Files.move(next, file, ATOMIC_MOVE);
    try (FileChannel entries = FileChannel.open(directory, READ)) {
      entries.force(/* metaData= */ true);
    }
  }

  private static void close(@Nullable FileLock lock) {
    if (lock != null) {
      try {
        lock.acquiredBy().close();
      } catch (IOException e) {
        // The process ends, and the operating system lets go of the lock.
      }
    }
  }

  /** The reason in words; the messages of NIO's exceptions are often only the path. */
  private static String reason(Exception e) {
    String kind =
        e.getClass()
            .getSimpleName()
            .replace("Exception", "")
            .replaceAll("(?<=[a-z])(?=[A-Z])", " ");
    String message = e.getMessage();
    return message == null ? kind.toLowerCase(java.util.Locale.ROOT) : describe(kind, message);
  }

  private static String describe(String kind, String message) {
    return message.startsWith("file [")
        ? message
        : kind.toLowerCase(java.util.Locale.ROOT) + " [" + message + "]";
  }
}
