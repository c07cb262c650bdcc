package io.holdfast.server;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.log.PrivateFiles;
import io.holdfast.server.NodeFile.LogState;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The directory of what outlives a node's process: its id, the number of its starts, and its log.
 * One process at a time holds it.
 *
 * <p>Files: {@code lock} is locked while a node runs; {@code node} has the id, the number of starts
 * and whether the log was begun, replaced atomically and synced before anything goes on; {@code
 * raft} is the directory of the log.
 */
public final class DataDirectory implements AutoCloseable {

  private final Path directory;
  private final FileLock lock;
  private NodeFile node;

  private DataDirectory(Path directory, FileLock lock, NodeFile node) {
    this.directory = directory;
    this.lock = lock;
    this.node = node;
  }

  /**
   * Opens the directory, makes it if it is missing, and counts this start.
   *
   * @param random the source of a new directory's id
   * @throws StartFailure if another process has it, or it cannot be read or written
   */
  public static DataDirectory open(Path directory, LongSupplier random) throws StartFailure {
    FileLock lock = null;
    try {
      make(directory);
      lock = lock(directory);
      NodeFile before =
          NodeFile.exists(directory)
              ? NodeFile.read(directory)
              : new NodeFile(Math.max(1, random.getAsLong() & Long.MAX_VALUE), 0, LogState.NONE);
      requireNotLost(directory, before);
      NodeFile node = new NodeFile(before.member(), before.starts() + 1, before.log());
      node.write(directory);
      DataDirectory opened = new DataDirectory(directory, lock, node);
      lock = null;
      return opened;
    } catch (IOException | SecurityException e) {
      throw unusable(directory, e);
    } finally {
      close(lock);
    }
  }

  /** The id of the node as a member of its cluster's log. */
  public MemberId member() {
    return new MemberId(node.member());
  }

  /** The number of this start, from 1. */
  public long start() {
    return node.starts();
  }

  /** True if the log was begun at this start or an earlier one, so that it must be there. */
  public boolean isLogBegun() {
    return node.log() != LogState.NONE;
  }

  /**
   * The directory of the log; made if it is missing, which is for its opening to judge.
   *
   * @throws StartFailure if it cannot be made
   */
  public Path logDirectory() throws StartFailure {
    Path log = directory.resolve("raft");
    try {
      make(log);
      return log;
    } catch (IOException | SecurityException e) {
      throw unusable(directory, e);
    }
  }

  /**
   * Notes, durably, that the log exists. From then on a directory without one has lost it. To be
   * called when the log is on the disk, and before anyone outside is told of what it holds.
   */
  public void noteLogBegun() throws IOException {
    if (node.log() == LogState.NONE) {
      note(LogState.BEGUN);
    }
  }

  /**
   * Notes, durably, that the log has lost what this node had confirmed to others. From then on no
   * node starts from this directory.
   */
  public void noteLogLost() throws IOException {
    note(LogState.LOST);
  }

  private void note(LogState log) throws IOException {
    NodeFile changed = new NodeFile(node.member(), node.starts(), log);
    changed.write(directory);
    node = changed;
  }

  @Override
  public void close() {
    close(lock);
  }

  private static void requireNotLost(Path directory, NodeFile node) throws StartFailure {
    if (node.log() == LogState.LOST) {
      throw new StartFailure(
          NodeExitCode.DATA_DIRECTORY,
          ("the data directory [%s] has lost what this node had confirmed to others: start it with"
                  + " an empty one, promote its new id and remove member [%x]")
              .formatted(directory, node.member()));
    }
  }

  /**
   * Makes a directory, and those above it, whose names are durable on return, and has nobody but
   * its owner look into it.
   */
  private static void make(Path directory) throws IOException {
    List<Path> changed = new ArrayList<>();
    Path missing = directory.toAbsolutePath();
    while (!Files.exists(missing) && missing.getParent() != null) {
      missing = missing.getParent();
      changed.add(missing);
    }
    Files.createDirectories(directory, PrivateFiles.directory());
    for (Path above : changed) {
      NodeFile.syncEntries(above);
    }
    PrivateFiles.close(directory);
  }

  private static StartFailure unusable(Path directory, Exception e) {
    return new StartFailure(
        NodeExitCode.DATA_DIRECTORY,
        "the data directory [" + directory + "] cannot be used: " + reason(e));
  }

  private static FileLock lock(Path directory) throws IOException, StartFailure {
    FileChannel channel =
        FileChannel.open(directory.resolve("lock"), Set.of(CREATE, WRITE), PrivateFiles.file());
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
          NodeExitCode.DATA_DIRECTORY,
          "the data directory [" + directory + "] is in use by another node");
    }
    return lock;
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
    return message == null ? kind.toLowerCase(Locale.ROOT) : describe(kind, message);
  }

  private static String describe(String kind, String message) {
    return message.startsWith("file [")
        ? message
        : kind.toLowerCase(Locale.ROOT) + " [" + message + "]";
  }
}
