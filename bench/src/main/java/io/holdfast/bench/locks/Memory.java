package io.holdfast.bench.locks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The memory of a process: its live objects after a full collection, and its resident memory. */
public record Memory(long liveBytes, long residentBytes) {

  private static final String RESIDENT = "VmRSS:";

  public static Memory of(long pid) throws IOException {
    List<String> histogram = Jcmd.ask(pid, "GC.class_histogram"); // collects first
    String total = histogram.get(histogram.size() - 1).strip();
    if (!total.startsWith("Total")) {
      throw new IllegalStateException("no histogram of classes ends with [" + total + "]");
    }
    String resident =
        Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
            .filter(line -> line.startsWith(RESIDENT))
            .findFirst()
            .orElseThrow();
    return new Memory(
        Long.parseLong(total.substring(total.lastIndexOf(' ') + 1)),
        Long.parseLong(resident.replaceAll("\\D", "")) * 1024);
  }

  Memory minus(Memory other) {
    return new Memory(liveBytes - other.liveBytes, residentBytes - other.residentBytes);
  }
}
