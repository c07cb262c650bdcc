package holdfast.server;

import holdfast.config.HoldfastSettings;
import holdfast.config.ListenAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tries a node's addresses before anything is started, so that one message can name all faults. */
final class Addresses {

  private Addresses() {}

  static void requireFree(HoldfastSettings settings) throws StartFailure {
    Map<String, ListenAddress> addresses = new LinkedHashMap<>();
    addresses.put("grpc", settings.grpc());
    addresses.put("management", settings.management());
    addresses.put("cluster", settings.cluster());
    List<String> faults = new ArrayList<>();
    List<ServerSocket> sockets = new ArrayList<>();
    // All are held until all are tried: two settings may name one port.
    addresses.forEach((name, address) -> tryOut(name, address, sockets, faults));
    for (ServerSocket socket : sockets) {
      close(socket);
    }
    if (!faults.isEmpty()) {
      throw new StartFailure(ExitCode.ADDRESS, faults);
    }
  }

  private static void tryOut(
      String name, ListenAddress address, List<ServerSocket> sockets, List<String> faults) {
    InetSocketAddress socketAddress = new InetSocketAddress(address.host(), address.port());
    try {
      ServerSocket socket = new ServerSocket();
      sockets.add(socket);
      socket.setReuseAddress(true);
      if (socketAddress.isUnresolved()) {
        faults.add("the %s host [%s] is not known".formatted(name, address.host()));
      } else {
        socket.bind(socketAddress);
      }
    } catch (IOException e) {
      faults.add(
          "the %s address [%s] cannot be had: %s; holdfast.%s.host and .port set it"
              .formatted(name, address, e.getMessage(), name));
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It was only a trial.
    }
  }
}
