package holdfast.server;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * What the file {@code node} of a data directory says.
 *
 * @param member the random number by which the node is known
 * @param starts how often it has started
 * @param logBegun whether its log exists since then, and must be there
 */
record NodeFile(long member, long starts, boolean logBegun) {

  /** More starts than a machine can make: such a number is damage. */
  private static final long MAX_STARTS = 1L << 32;

  private static final String NAME = "node";
  private static final String FORMAT = "2";

  static boolean exists(Path directory) {
    return Files.exists(directory.resolve(NAME));
  }

  static NodeFile read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    Properties node = new Properties();
    try {
      node.load(new StringReader(Files.readString(file)));
    } catch (IllegalArgumentException e) {
      throw damaged(file, String.valueOf(e.getMessage()));
    }
    String format = node.getProperty("format");
    if ("1".equals(format)) {
      throw new IOException(
          "file [%s] has format [1], from before the first release: move the directory away, and the node begins anew"
              .formatted(file));
    } else if (!FORMAT.equals(format)) {
      throw new IOException("file [%s] has format [%s], not [%s]".formatted(file, format, FORMAT));
    }
    String log = node.getProperty("log");
    if (log != null && !log.equals("begun")) {
      throw damaged(file, "log [" + log + "]");
    }
    long member = number(node, "member", 16, file);
    long starts = number(node, "starts", 10, file);
    if (member <= 0) {
      throw damaged(file, "member [" + node.getProperty("member") + "]");
    }
    if (starts < 0 || starts >= MAX_STARTS) {
      throw damaged(file, "starts [" + node.getProperty("starts") + "]");
    }
    return new NodeFile(member, starts, log != null);
  }

  /** Replaces the file. It is durable on return. */
  void write(Path directory) throws IOException {
    String text =
        """
        # Made by Holdfast. Do not edit, do not copy.
        format=%s
        member=%s
        starts=%d
        """
            .formatted(FORMAT, Long.toHexString(member), starts);
    Path next = directory.resolve(NAME + ".next");
    try (FileChannel channel = FileChannel.open(next, CREATE, TRUNCATE_EXISTING, WRITE)) {
      ByteBuffer bytes =
          ByteBuffer.wrap(
              (logBegun ? text + "log=begun\n" : text).getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(/* metaData= */ true);
    }
    Files.move(next, directory.resolve(NAME), ATOMIC_MOVE);
    syncEntries(directory);
  }

  /** Makes durable which files and directories a directory has. */
  static void syncEntries(Path directory) throws IOException {
    try (FileChannel entries = FileChannel.open(directory, READ)) {
      entries.force(/* metaData= */ true);
    }
  }

  private static long number(Properties node, String key, int radix, Path file) throws IOException {
    String text = node.getProperty(key, "");
    try {
      return Long.parseUnsignedLong(text, radix);
    } catch (NumberFormatException e) {
      throw damaged(file, key + " [" + text + "]");
    }
  }

  private static IOException damaged(Path file, String what) {
    return new IOException("file [%s] is damaged: %s".formatted(file, what));
  }
}
