package io.holdfast.grpc.guard;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are open, in all and by the address they come from. An address may open as
 * many at once as it may have, and then a tenth of that a second. One network of IPv6, of 64 bits,
 * counts as one address: whoever has one has all of its addresses.
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

  /** Counts one more, unless it is one too many; says which bound it would pass. */
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

  /** One that was added has ended. */
  synchronized void remove(InetAddress address, long nanos) {
    open--;
    FromAddress from = addresses.get(network(address));
    if (from != null && --from.open == 0 && from.opened.isUnused(nanos)) {
      addresses.remove(network(address));
    }
  }

  /** How many addresses it knows. */
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
    private final Rate opened;
    private int open;

    FromAddress(int max, long nanos) {
      opened = new Rate(Math.max(1, max / Rate.BURST_SECONDS), max, max, nanos);
    }
  }
}
