package io.holdfast.server;

import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.member.ListenAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tries a node's addresses before anything is started, so that one message can name all faults. */
final class AddressCheck {

  private AddressCheck() {}

  static void requireFree(HoldfastSettings settings) throws StartFailure {
    Map<String, ListenAddress> addresses = new LinkedHashMap<>();
    addresses.put("grpc", settings.grpc());
    addresses.put("management", settings.management());
    addresses.put("cluster", settings.cluster());
    addresses.put("raft", settings.raft().address());
    addresses.put("admin", settings.admin());
    List<String> faults = new ArrayList<>();
    List<ServerSocket> sockets = new ArrayList<>();
    // All are held until all are tried: two settings may name one port.
    addresses.forEach((name, address) -> tryOut(name, address, sockets, faults));
    for (ServerSocket socket : sockets) {
      close(socket);
    }
    if (!faults.isEmpty()) {
      throw new StartFailure(NodeExitCode.ADDRESS, faults);
    }
  }

  /** An address that was free turned out not to be. */
  static StartFailure taken(String name, ListenAddress address, IOException e) {
    return new StartFailure(NodeExitCode.ADDRESS, takenFault(name, address, e));
  }

  static StartFailure unknown(String name, ListenAddress address) {
    return new StartFailure(NodeExitCode.ADDRESS, unknownFault(name, address));
  }

  private static String takenFault(String name, ListenAddress address, IOException e) {
    return "the %s address [%s] cannot be had: %s; holdfast.%s.host and .port set it"
        .formatted(name, address, e.getMessage(), name);
  }

  private static String unknownFault(String name, ListenAddress address) {
    return "the %s host [%s] is not known".formatted(name, address.host());
  }

  private static void tryOut(
      String name, ListenAddress address, List<ServerSocket> sockets, List<String> faults) {
    InetSocketAddress socketAddress = new InetSocketAddress(address.host(), address.port());
    try {
      ServerSocket socket = new ServerSocket();
      sockets.add(socket);
      socket.setReuseAddress(true);
      if (socketAddress.isUnresolved()) {
        faults.add(unknownFault(name, address));
      } else {
        socket.bind(socketAddress);
      }
    } catch (IOException e) {
      faults.add(takenFault(name, address, e));
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
