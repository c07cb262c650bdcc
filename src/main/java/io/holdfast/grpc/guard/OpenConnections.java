package io.holdfast.grpc.guard;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the open connections, in total and by address, and limits the rate of new ones: an address
 * may open its maximum at once, and then a tenth of it a second. An IPv6 network of 64 bits counts
 * as one address, since one host may use all of its addresses.
 */
final class OpenConnections {

  private static final int NETWORK = 8; // octets

  private final int max;
  private final int maxPerAddress;
  private final Map<ByteBuffer, FromAddress> addresses = new HashMap<>();
  private int open;

  OpenConnections(int max, int maxPerAddress) {
    this.max = max;
    this.maxPerAddress = maxPerAddress;
  }

  /**
   * Counts a new connection; returns the limit that it would exceed, and then does not count it.
   */
  synchronized @Nullable String add(InetAddress address, long nanos) {
    if (open >= max) {
      return "there are [%d] connections already".formatted(max);
    }
    if (addresses.size() >= 2 * max) {
      addresses.values().removeIf(from -> from.open == 0);
    }
    FromAddress from =
        addresses.computeIfAbsent(network(address), key -> new FromAddress(maxPerAddress, nanos));
    if (from.open >= maxPerAddress) {
      return "there are [%d] connections from its address already".formatted(maxPerAddress);
    } else if (from.opened.isExceeded(nanos)) {
      return "more than [%d] connections a second from its address"
          .formatted(from.opened.perSecond());
    }
    from.open++;
    open++;
    return null;
  }

  /** Stops counting a connection that has ended. */
  synchronized void remove(InetAddress address, long nanos) {
    open--;
    FromAddress from = addresses.get(network(address));
    if (from != null && --from.open == 0 && from.opened.isUnused(nanos)) {
      addresses.remove(network(address));
    }
  }

  /** Returns the number of addresses that it remembers. */
  synchronized int remembered() {
    return addresses.size();
  }

  private static ByteBuffer network(InetAddress address) {
    byte[] octets = address.getAddress();
    return address instanceof Inet6Address
        ? ByteBuffer.wrap(octets, 0, NETWORK)
        : ByteBuffer.wrap(octets);
  }

  private static final class FromAddress {
    private final RateLimit opened;
    private int open;

    FromAddress(int max, long nanos) {
      opened = new RateLimit(Math.max(1, max / RateLimit.BURST_SECONDS), max, max, nanos);
    }
  }
}
