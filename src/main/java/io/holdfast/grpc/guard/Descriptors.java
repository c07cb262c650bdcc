package io.holdfast.grpc.guard;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The files and sockets that this process may have. A process that has none left can accept no
 * connection, and its listener would try again for ever: the bound of connections is to be met
 * first.
 */
final class Descriptors {

  /** Kept for all else: the log, the other nodes, management, the class path. */
  static final int RESERVE = 1024;

  private Descriptors() {}

  /** How many connections there may be, at most as many as wanted. */
  static int connections(int wanted) {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? connections(
            wanted, system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount())
        : wanted;
  }

  /** Half of what is left is kept, or {@link #RESERVE} of much; 0 if nothing is left. */
  static int connections(int wanted, long left) {
    return (int) Math.max(0, Math.min(wanted, left - Math.min(RESERVE, left / 2)));
  }
}
