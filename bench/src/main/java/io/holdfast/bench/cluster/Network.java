package io.holdfast.bench.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Nodes' network namespaces around a bridge, which has one of its own: nothing of the machine's own
 * network is touched. Needs root.
 *
 * <p>A cut is made at the sender, without its knowledge: it believes that the other has a hardware
 * address that nobody has. So each direction can be cut by itself, and what is sent is lost.
 */
final class Network implements AutoCloseable {

  private static final String PREFIX = "hf-";

  /** The place of the clients, in the hub. */
  static final int CLIENTS = -1;

  private static final String NOBODY = "02:00:00:00:ff:fe";

  private final String name;

  private Network(String name) {
    this.name = name;
  }

  /** The network of that name, which exists. */
  static Network existing(String name) {
    return new Network(name);
  }

  /** True if this machine lets the test make namespaces: not in every container does root. */
  static boolean canMake() {
    String probe = PREFIX + ProcessHandle.current().pid() + "-probe";
    boolean made =
        Shell.tries("ip", "netns", "add", probe)
            && Shell.tries("ip", "-n", probe, "link", "add", "br0", "type", "bridge")
            && Shell.tries("ip", "netns", "exec", probe, "true");
    return Shell.tries("ip", "netns", "del", probe) && made;
  }

  /** Creates a network for so many nodes, after it has removed the rest of a crashed run. */
  static Network make(int nodes) {
    removeLeftOvers();
    Network network = new Network(PREFIX + ProcessHandle.current().pid());
    try {
      Shell.run("ip", "netns", "add", network.hub());
      network.inHub("link", "add", "br0", "type", "bridge");
      network.inHub("addr", "add", address(CLIENTS) + "/24", "dev", "br0");
      network.inHub("link", "set", "br0", "up");
      network.inHub("link", "set", "lo", "up");
      for (int node = 0; node < nodes; node++) {
        network.add(node);
      }
    } catch (RuntimeException e) {
      network.close();
      throw e;
    }
    return network;
  }

  private void add(int node) {
    String namespace = namespace(node);
    Shell.run("ip", "netns", "add", namespace);
    inHub("link", "add", "to" + node, "type", "veth", "peer", "name", "eth0", "netns", namespace);
    inHub("link", "set", "to" + node, "master", "br0", "up");
    Shell.run("ip", "-n", namespace, "addr", "add", address(node) + "/24", "dev", "eth0");
    Shell.run("ip", "-n", namespace, "link", "set", "eth0", "up");
    Shell.run("ip", "-n", namespace, "link", "set", "lo", "up");
  }

  String name() {
    return name;
  }

  /** The namespace from which all nodes can be reached, unless the clients themselves are cut. */
  String hub() {
    return name + "-hub";
  }

  List<NodePlace> places(int nodes) {
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      places.add(NodePlace.inNamespace(address(node), namespace(node)));
    }
    return places;
  }

  /** From now on the one, a node or {@link #CLIENTS}, sends nothing to the other. */
  void cut(int from, int to) {
    neighbour("replace", from, to, "lladdr", NOBODY, "nud", "permanent");
  }

  void heal(int from, int to) {
    neighbour("del", from, to);
  }

  private void neighbour(String action, int from, int to, String... more) {
    boolean isHub = from == CLIENTS;
    List<String> command =
        new ArrayList<>(
            List.of("ip", "-n", isHub ? hub() : namespace(from), "neigh", action, address(to)));
    command.addAll(List.of("dev", isHub ? "br0" : "eth0"));
    command.addAll(List.of(more));
    Shell.run(command.toArray(String[]::new));
  }

  @Override
  public void close() {
    remove(name + "-");
  }

  private static void removeLeftOvers() {
    for (String namespace : namespaces()) {
      String[] parts = namespace.split("-", -1);
      if (namespace.matches(PREFIX + "\\d+-\\w+")
          && ProcessHandle.of(Long.parseLong(parts[1])).isEmpty()) {
        remove(namespace);
      }
    }
  }

  private static void remove(String prefix) {
    for (String namespace : namespaces()) {
      if (namespace.startsWith(prefix)) {
        for (String pid : Shell.run("ip", "netns", "pids", namespace).lines().toList()) {
          Shell.tries("kill", "-9", pid);
        }
        Shell.tries("ip", "netns", "del", namespace);
      }
    }
  }

  private static List<String> namespaces() {
    return Shell.run("ip", "netns", "list").lines().map(line -> line.split(" ", -1)[0]).toList();
  }

  private void inHub(String... words) {
    List<String> command = new ArrayList<>(List.of("ip", "-n", hub()));
    command.addAll(List.of(words));
    Shell.run(command.toArray(String[]::new));
  }

  private String namespace(int node) {
    return name + "-n" + node;
  }

  private static String address(int node) {
    return "10.77.0." + (node + 2);
  }
}
