package io.holdfast.raft.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A directory of the operating system. */
public final class FileDisk implements Disk {

  /** Larger transfers from the heap would each pin a direct buffer of their size to the thread. */
  private static final int SLICE_BYTES = 1 << 20;

  private final Path directory;
  private final String name; // the log says with each step whose it is: a path makes its text anew

  public FileDisk(Path directory) {
    this.directory = directory;
    this.name = directory.toString();
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new ChannelFile(
        FileChannel.open(
            directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public DiskFile create(String name) throws IOException {
    return new ChannelFile(
        FileChannel.open(
            directory.resolve(name),
            Set.of(
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING),
            PrivateFiles.file()));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(directory.resolve(name));
  }

  @Override
  public void force() throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private record ChannelFile(FileChannel channel) implements DiskFile {

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      int start = into.position();
      int end = into.limit();
      try {
        while (into.position() < end) {
          into.limit(Math.min(end, into.position() + SLICE_BYTES));
          if (channel.read(into, position + into.position() - start) < 0) {
            break;
          }
        }
      } finally {
        into.limit(end);
      }
      return into.position() - start;
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      int start = from.position();
      while (from.hasRemaining()) {
        int at = from.position();
        if (channel.write(from, position + at - start) <= 0) {
          throw new IOException("nothing was written at [" + (position + at - start) + "]");
        }
      }
    }

    @Override
    public void force(boolean metadata) throws IOException {
      channel.force(metadata);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
