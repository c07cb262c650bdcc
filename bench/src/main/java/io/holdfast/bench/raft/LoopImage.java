package io.holdfast.bench.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file with a file system in it, mounted. */
final class LoopImage {

  private final Path file;
  private final Path mountPoint;

  private LoopImage(Path file, Path mountPoint) {
    this.file = file;
    this.mountPoint = mountPoint;
  }

  static LoopImage make(Path file, int megabytes, Path mountPoint) throws IOException {
    execute("truncate", "-s", megabytes + "M", file.toString());
    execute("mkfs.ext4", "-q", "-F", file.toString());
    Files.createDirectories(mountPoint);
    LoopImage image = new LoopImage(file, mountPoint);
    image.mount();
    return image;
  }

  /** Copies the image without the kernel's unwritten pages, and mounts the copy. */
  void cutPower() throws IOException {
    Path copy = file.resolveSibling(file.getFileName() + ".copy");
    execute("cp", "--sparse=always", file.toString(), copy.toString());
    execute("umount", mountPoint.toString());
    Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
    mount();
  }

  void close() throws IOException {
    execute("umount", mountPoint.toString());
  }

  private void mount() throws IOException {
    execute("mount", "-o", "loop", file.toString(), mountPoint.toString());
  }

  private static void execute(String... command) throws IOException {
    try {
      int code = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IOException(String.join(" ", command) + " ended with [" + code + "]");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
