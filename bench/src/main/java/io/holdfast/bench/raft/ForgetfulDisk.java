package io.holdfast.bench.raft;

import io.holdfast.raft.log.Disk;
import io.holdfast.raft.log.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk that keeps in memory what was not synced, so that the end of the process loses exactly
 * that, as a loss of power does; and that takes its time for a sync, so that there is a while in
 * which it can be lost.
 *
 * <p>Names of files are durable at once.
 */
final class ForgetfulDisk implements Disk {

  private static final int SYNC_MAX_MS = 40;

  private final Disk disk;
  private final SplittableRandom random;

  ForgetfulDisk(Disk disk, long seed) {
    this.disk = disk;
    random = new SplittableRandom(seed);
  }

  @Override
  public List<String> list() throws IOException {
    return disk.list();
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new ForgetfulFile(disk.open(name));
  }

  @Override
  public DiskFile create(String name) throws IOException {
    return new ForgetfulFile(disk.create(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(name);
  }

  @Override
  public void force() {}

  @Override
  public String toString() {
    return disk.toString();
  }

  private void takeTime() {
    long ms;
    synchronized (random) {
      ms = random.nextInt(SYNC_MAX_MS);
    }
    long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    for (long left = untilNs - System.nanoTime(); left > 0; left = untilNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static final class Write {

    private final long position;
    private final byte[] bytes;

    Write(long position, byte[] bytes) {
      this.position = position;
      this.bytes = bytes;
    }

    long end() {
      return position + bytes.length;
    }
  }

  private final class ForgetfulFile implements DiskFile {

    private final DiskFile file;
    private final List<Write> unsynced = new ArrayList<>();

    ForgetfulFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public synchronized long size() throws IOException {
      return Math.max(file.size(), unsynced.stream().mapToLong(Write::end).max().orElse(0));
    }

    @Override
    public synchronized int read(ByteBuffer into, long position) throws IOException {
      int start = into.position();
      int length = (int) Math.max(0, Math.min(into.remaining(), size() - position));
      byte[] found = new byte[length];
      file.read(ByteBuffer.wrap(found), position);
      for (Write write : unsynced) {
        long from = Math.max(position, write.position);
        long to = Math.min(position + length, write.end());
        if (from < to) {
          System.arraycopy(
              write.bytes,
              (int) (from - write.position),
              found,
              (int) (from - position),
              (int) (to - from));
        }
      }
      into.put(found);
      return into.position() - start;
    }

    @Override
    public synchronized void write(ByteBuffer from, long position) {
      byte[] bytes = new byte[from.remaining()];
      from.get(bytes);
      unsynced.add(new Write(position, bytes));
    }

    /* What was written before it began is kept; the operating system keeps it without a sync of its
    own, since only the process ends. */
    @Override
    public void force(boolean metadata) throws IOException {
      List<Write> due;
      synchronized (this) {
        due = List.copyOf(unsynced);
      }
      if (!due.isEmpty()) {
        takeTime();
      }
      synchronized (this) {
        for (Write write : due) {
          file.write(ByteBuffer.wrap(write.bytes), write.position);
        }
        unsynced.removeAll(due);
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
