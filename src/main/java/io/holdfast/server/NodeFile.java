package io.holdfast.server;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.holdfast.raft.log.PrivateFiles;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The content of the file {@code node} of a data directory.
 *
 * @param member the random number by which the node is known
 * @param starts the number of its starts
 * @param log the knowledge of its log
 */
record NodeFile(long member, long starts, LogState log) {

  /** The state of the log by this file. */
  enum LogState {
    /** It may not be there yet. */
    NONE,
    /** It must be there. */
    BEGUN,
    /** It is there, but has lost what the node had confirmed to others. */
    LOST;

    private static LogState read(@Nullable String text, Path file) throws IOException {
      return switch (text == null ? "" : text) {
        case "" -> NONE;
        case "begun" -> BEGUN;
        case "lost" -> LOST;
        default -> throw damaged(file, "log [" + text + "]");
      };
    }
  }

  /** More starts than a machine can make: such a number is damage. */
  private static final long MAX_STARTS = 1L << 32;

  private static final String NAME = "node";

  /** Of this file, and of all that stands beside it. */
  private static final String FORMAT = "5";

  /** Nobody was promised that those are read. */
  private static final Set<String> BEFORE_THE_FIRST_RELEASE = Set.of("1", "2", "3", "4");

  private static final String CHECK = "check=";

  static boolean exists(Path directory) {
    return Files.exists(directory.resolve(NAME));
  }

  static NodeFile read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    Properties node = new Properties();
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    try {
      node.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      throw damaged(file, String.valueOf(e.getMessage()));
    }
    String format = node.getProperty("format");
    if (FORMAT.equals(format) || text.contains(CHECK)) {
      requireCheck(text, file);
    }
    if (format != null && BEFORE_THE_FIRST_RELEASE.contains(format)) {
      throw new IOException(
          "file [%s] has format [%s], from before the first release: move the directory away, and the node begins anew"
              .formatted(file, format));
    } else if (!FORMAT.equals(format)) {
      throw new IOException("file [%s] has format [%s], not [%s]".formatted(file, format, FORMAT));
    }
    LogState log = LogState.read(node.getProperty("log"), file);
    long member = number(node, "member", 16, file);
    long starts = number(node, "starts", 10, file);
    if (member <= 0) {
      throw damaged(file, "member [" + node.getProperty("member") + "]");
    }
    if (starts < 0 || starts >= MAX_STARTS) {
      throw damaged(file, "starts [" + node.getProperty("starts") + "]");
    }
    return new NodeFile(member, starts, log);
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
    try (FileChannel channel =
        FileChannel.open(next, Set.of(CREATE, TRUNCATE_EXISTING, WRITE), PrivateFiles.file())) {
      String all = log == LogState.NONE ? text : text + "log=" + written(log) + "\n";
      ByteBuffer bytes =
          ByteBuffer.wrap((all + CHECK + check(all) + "\n").getBytes(StandardCharsets.ISO_8859_1));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(/* metaData= */ true);
    }
    Files.move(next, directory.resolve(NAME), ATOMIC_MOVE);
    syncEntries(directory);
  }

  private static void requireCheck(String text, Path file) throws IOException {
    int at = text.lastIndexOf(CHECK);
    String found = at < 0 ? "" : text.substring(at + CHECK.length()).strip();
    String due = check(at < 0 ? text : text.substring(0, at));
    if (!found.equals(due)) {
      throw damaged(file, "check [%s], not [%s]".formatted(found, due));
    }
  }

  private static String check(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return "%08x".formatted(crc.getValue());
  }

  private static String written(LogState log) {
    return log.name().toLowerCase(Locale.ROOT);
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
