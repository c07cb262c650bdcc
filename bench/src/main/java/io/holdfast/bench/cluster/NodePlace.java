package io.holdfast.bench.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The addresses that a node listens on.
 *
 * @param namespace the network namespace that its process runs in; empty for that of the test
 */
public record NodePlace(
    String host, int grpc, int management, int cluster, int raft, int admin, String namespace) {

  private static final int SERVERS = 5;

  /** Places on loopback, at ports that are free now. */
  static List<NodePlace> onLoopback(int nodes) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<NodePlace> places = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      int[] ports = new int[SERVERS];
      for (int server = 0; server < SERVERS; server++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        ports[server] = socket.getLocalPort();
      }
      places.add(new NodePlace("127.0.0.1", ports[0], ports[1], ports[2], ports[3], ports[4], ""));
    }
    for (ServerSocket socket : held) {
      socket.close();
    }
    return places;
  }

  /** The usual ports in a namespace of the node's own. */
  static NodePlace inNamespace(String host, String namespace) {
    return new NodePlace(host, 7400, 7401, 7402, 7403, 7405, namespace);
  }

  String raftAddress() {
    return host + ":" + raft;
  }

  String akkaAddress() {
    return "akka://holdfast@" + host + ":" + cluster;
  }

  String managementUrl(String path) {
    return "http://" + host + ":" + management + path;
  }

  /** The settings of a node at this place. */
  Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    Map<String, Integer> ports =
        Map.of(
            "GRPC", grpc,
            "MANAGEMENT", management,
            "CLUSTER", cluster,
            "RAFT", raft,
            "ADMIN", admin);
    ports.forEach(
        (server, port) -> {
          environment.put("HOLDFAST_" + server + "_HOST", host);
          environment.put("HOLDFAST_" + server + "_PORT", Integer.toString(port));
        });
    if (!namespace.isEmpty()) {
      environment.put("HOLDFAST_INSECURE", "on"); // the namespace keeps all others out
    }
    return environment;
  }
}
