package io.holdfast.bench.floods;

import io.holdfast.bench.locks.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The means of a node's process: descriptors, threads, and live objects after a full collection.
 */
record Footprint(long descriptors, long threads, long liveBytes) {

  /** A few connections and threads come and go with the bystander, and caches fill. */
  private static final long MORE_DESCRIPTORS = 32;

  private static final long MORE_THREADS = 32;
  private static final long MORE_BYTES = 64 << 20;

  static Footprint of(long pid) {
    try {
      long live = Memory.of(pid).liveBytes();
      return new Footprint(count(pid, "fd"), count(pid, "task"), live);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says if a process has little more than this. */
  boolean isLeftBy(Footprint now) {
    return now.descriptors <= descriptors + MORE_DESCRIPTORS
        && now.threads <= threads + MORE_THREADS
        && now.liveBytes <= liveBytes + MORE_BYTES;
  }

  /** Says if a collection is worth its while: without one, the process is as it was. */
  boolean mayBeLeftBy(long pid) {
    try {
      return count(pid, "fd") <= descriptors + MORE_DESCRIPTORS
          && count(pid, "task") <= threads + MORE_THREADS;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String line() {
    return descriptors + "/" + threads + "/" + (liveBytes >> 20) + "M";
  }

  private static long count(long pid, String what) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), what))) {
      return files.count();
    }
  }
}
