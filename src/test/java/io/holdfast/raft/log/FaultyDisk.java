package io.holdfast.raft.log;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that keeps only what was forced, and of the rest whatever chance leaves: of each
 * sector any beginning of its writes, the last of them torn at any byte; of the directory any of
 * the changes.
 */
public final class FaultyDisk implements Disk {

  /** The power goes in the middle of an operation. */
  public static final class PowerCut extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  public static final int SECTOR = 512;

  /** Everything counts as one operation: writes, forces and changes of the directory. */
  int operations;

  int cutAtOperation = Integer.MAX_VALUE;
  int failAtOperation = Integer.MAX_VALUE;
  long capacity = Long.MAX_VALUE;
  int forces;

  boolean ignoresForce;
  boolean ignoresDirectoryForce;

  private final SplittableRandom chance;
  private Map<String, Contents> names = new TreeMap<>();
  private Map<String, Contents> durableNames = new TreeMap<>();
  private List<NameChange> pending = new ArrayList<>();
  private boolean isOff;

  public FaultyDisk(SplittableRandom chance) {
    this.chance = chance;
  }

  /** Lets the power go in the middle of the operation after this many more. */
  public void cutAfter(int more) {
    cutAtOperation = operations + more + 1;
  }

  /** Lets the operation after this many more fail. */
  public void failAfter(int more) {
    failAtOperation = operations + more + 1;
  }

  /** The bytes of all files that fit from now on. */
  public void capacity(long bytes) {
    capacity = bytes;
  }

  private record NameChange(@Nullable String removed, @Nullable String set, Contents contents) {
    void apply(Map<String, Contents> to) {
      if (removed != null) {
        to.remove(removed, contents);
      }
      if (set != null) {
        to.put(set, contents);
      }
    }
  }

  private static final class Write {
    final int at;
    final byte[] bytes;

    Write(int at, byte[] bytes) {
      this.at = at;
      this.bytes = bytes;
    }
  }

  /** A file without its name. */
  private static final class Contents {
    byte[] seen = {};
    byte[] durable = {};
    Map<Integer, List<Write>> unsynced = new HashMap<>();

    void write(int position, byte[] bytes) {
      if (seen.length < position + bytes.length) {
        seen = Arrays.copyOf(seen, position + bytes.length);
      }
      System.arraycopy(bytes, 0, seen, position, bytes.length);
      for (int at = 0; at < bytes.length; ) {
        int sector = (position + at) / SECTOR;
        int part = Math.min(bytes.length - at, (sector + 1) * SECTOR - position - at);
        unsynced
            .computeIfAbsent(sector, s -> new ArrayList<>())
            .add(new Write(position + at, Arrays.copyOfRange(bytes, at, at + part)));
        at += part;
      }
    }

    void force() {
      durable = durable.length == seen.length ? durable : Arrays.copyOf(durable, seen.length);
      for (int sector : unsynced.keySet()) {
        int from = sector * SECTOR;
        System.arraycopy(seen, from, durable, from, Math.min(SECTOR, seen.length - from));
      }
      unsynced.clear();
    }

    /** The content that a power cut leaves. */
    void lose(SplittableRandom chance) {
      if (durable.length < seen.length && chance.nextBoolean()) {
        durable = Arrays.copyOf(durable, seen.length);
      }
      int mood = chance.nextInt(4); // all of it, none of it, or a mixture
      for (List<Write> writes : unsynced.values()) {
        int kept = mood == 0 ? writes.size() : mood == 1 ? 0 : chance.nextInt(writes.size() + 1);
        for (int i = 0; i < kept; i++) {
          keep(writes.get(i), writes.get(i).bytes.length);
        }
        if (kept < writes.size() && chance.nextInt(3) == 0) {
          keep(writes.get(kept), chance.nextInt(writes.get(kept).bytes.length + 1));
        }
      }
      seen = durable.clone();
      unsynced.clear();
    }

    private void keep(Write write, int length) {
      int fits = Math.min(length, durable.length - write.at);
      if (fits > 0) {
        System.arraycopy(write.bytes, 0, durable, write.at, fits);
      }
    }
  }

  /** Cuts the power, and switches it on again. */
  public void powerCycle() {
    if (chance.nextInt(4) > 0) {
      int prefix = chance.nextInt(pending.size() + 1);
      pending.subList(0, prefix).forEach(change -> change.apply(durableNames));
    } else {
      pending.forEach(
          change -> {
            if (chance.nextBoolean()) {
              change.apply(durableNames);
            }
          });
    }
    pending = new ArrayList<>();
    durableNames.values().forEach(contents -> contents.lose(chance));
    names = new TreeMap<>(durableNames);
    restart();
  }

  /** Ends the process; the operating system keeps what was written. */
  public void restart() {
    isOff = false;
    operations = 0;
    cutAtOperation = Integer.MAX_VALUE;
    failAtOperation = Integer.MAX_VALUE;
  }

  /** The bytes of a file, as they are seen, to be changed by a test and then restored. */
  byte[] bytes(String name) {
    Contents contents = names.get(name);
    if (contents == null) {
      throw new IllegalArgumentException(name);
    }
    return contents.seen;
  }

  /** An independent copy of what is seen, all of it durable. */
  FaultyDisk copy() {
    FaultyDisk copy = new FaultyDisk(chance.split());
    names.forEach(
        (name, contents) -> {
          Contents twin = new Contents();
          twin.seen = contents.seen.clone();
          twin.durable = contents.seen.clone();
          copy.names.put(name, twin);
        });
    copy.durableNames = new TreeMap<>(copy.names);
    return copy;
  }

  private void operation(@Nullable Runnable half) throws IOException {
    if (isOff) {
      throw new PowerCut();
    }
    operations++;
    if (operations >= cutAtOperation) {
      if (half != null) {
        half.run();
      }
      isOff = true;
      throw new PowerCut();
    }
    if (operations == failAtOperation) {
      throw new IOException("the disk says no");
    }
  }

  private Contents find(String name) throws IOException {
    Contents contents = names.get(name);
    if (contents == null) {
      throw new FileNotFoundException(name);
    }
    return contents;
  }

  private void change(NameChange change) {
    change.apply(names);
    if (ignoresDirectoryForce) {
      return;
    }
    pending.add(change);
  }

  @Override
  public List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new OpenFile(find(name));
  }

  @Override
  public DiskFile create(String name) throws IOException {
    operation(null);
    Contents contents = new Contents();
    change(new NameChange(null, name, contents));
    return new OpenFile(contents);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    operation(null);
    change(new NameChange(from, to, find(from)));
  }

  @Override
  public void delete(String name) throws IOException {
    operation(null);
    change(new NameChange(name, null, find(name)));
  }

  @Override
  public void force() throws IOException {
    operation(null);
    pending.forEach(change -> change.apply(durableNames));
    pending = new ArrayList<>();
  }

  private final class OpenFile implements DiskFile {

    private final Contents contents;

    OpenFile(Contents contents) {
      this.contents = contents;
    }

    @Override
    public long size() {
      return contents.seen.length;
    }

    @Override
    public int read(ByteBuffer into, long position) {
      int length = (int) Math.max(0, Math.min(into.remaining(), contents.seen.length - position));
      into.put(contents.seen, (int) position, length);
      return length;
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
      byte[] bytes = new byte[from.remaining()];
      from.get(bytes);
      operation(() -> contents.write((int) position, Arrays.copyOf(bytes, bytes.length / 2 + 1)));
      requireSpace(position + bytes.length - contents.seen.length);
      contents.write((int) position, bytes);
    }

    private void requireSpace(long more) throws IOException {
      if (more > 0 && capacity < Long.MAX_VALUE) {
        long used = names.values().stream().mapToLong(each -> each.seen.length).sum();
        if (used + more > capacity) {
          throw new IOException("no space left");
        }
      }
    }

    @Override
    public void force(boolean metadata) throws IOException {
      operation(null);
      forces++;
      if (!ignoresForce) {
        contents.force();
      }
    }

    @Override
    public void close() {}
  }

  @Override
  public String toString() {
    return "memory";
  }
}
