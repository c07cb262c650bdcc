package io.holdfast.grpc.guard;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The limit of file descriptors of this process. Without free descriptors the listener could accept
 * no connection, and would retry for ever. So the limit of connections must be reached first.
 */
final class FileDescriptors {

  /**
   * The descriptors kept for everything else: the log, the other nodes, management, the class path.
   */
  static final int RESERVE = 1024;

  private FileDescriptors() {}

  /** Returns the limit of connections, at most {@code wanted}. */
  static int connections(int wanted) {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? connections(
            wanted, system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount())
        : wanted;
  }

  /**
   * Returns the limit for so many free descriptors. It keeps half of them, at most {@link
   * #RESERVE}.
   */
  static int connections(int wanted, long left) {
    return (int) Math.max(0, Math.min(wanted, left - Math.min(RESERVE, left / 2)));
  }
}
