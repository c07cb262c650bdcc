package io.holdfast.raft.log;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files and directories that nobody but their owner may read or write. The log holds all keys, and
 * who can write it can grant any lock. A file system that knows no such rights is taken as it is.
 */
public final class PrivateFiles {

  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private static final boolean HAS_RIGHTS =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private PrivateFiles() {}

  /** The attributes that a file is created with. */
  public static FileAttribute<?>[] file() {
    return attributes("rw-------");
  }

  /** The attributes that a directory is created with. */
  public static FileAttribute<?>[] directory() {
    return attributes("rwx------");
  }

  private static FileAttribute<?>[] attributes(String rights) {
    return HAS_RIGHTS
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Takes the rights of all others away, from the directory and from what is in it.
   *
   * @throws IOException if that is not allowed
   */
  public static void close(Path directory) throws IOException {
    closeOne(directory);
    List<Path> inside;
    try (Stream<Path> files = Files.list(directory)) {
      inside = files.filter(file -> !Files.isSymbolicLink(file)).toList();
    }
    for (Path each : inside) {
      closeOne(each);
    }
  }

  private static void closeOne(Path path) throws IOException {
    boolean isLink = Files.isSymbolicLink(path); // a directory may be given by one
    PosixFileAttributeView view =
        isLink
            ? Files.getFileAttributeView(path, PosixFileAttributeView.class)
            : Files.getFileAttributeView(
                path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> rights = view.readAttributes().permissions();
    if (!OWNERS.containsAll(rights)) {
      Set<PosixFilePermission> left = EnumSet.copyOf(OWNERS);
      left.retainAll(rights);
      try {
        view.setPermissions(left);
      } catch (IOException e) {
        throw new IOException(
            "file [%s] is open to others than its owner, and cannot be closed to them"
                .formatted(path),
            e);
      }
    }
  }
}
