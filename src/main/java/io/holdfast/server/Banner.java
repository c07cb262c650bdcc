package io.holdfast.server;

import java.util.ArrayList;
import java.util.List;

/** The lines that a node logs about itself when it serves. */
final class Banner {

  private Banner() {}

  /**
   * The lines.
   *
   * @param exposed the listeners that others than this machine reach, and that have no TLS
   */
  static List<String> lines(HoldfastNode node, List<String> exposed, String version) {
    List<String> lines = new ArrayList<>();
    lines.add("Holdfast " + version + ", process " + ProcessHandle.current().pid());
    lines.add("  clients     " + node.grpc() + "  (gRPC)");
    lines.add("  management  http://" + node.management() + "/ready");
    lines.add("  operators   " + node.admin() + "  (gRPC)");
    lines.add("  cluster     " + node.cluster() + ", log at " + node.raft());
    lines.add("  data        " + node.dataDirectory());
    lines.add(
        "  member      %016x of cluster %016x"
            .formatted(node.identity().memberId(), node.identity().clusterId()));
    if (!exposed.isEmpty()) {
      lines.add("  insecure    " + exposed + " off loopback, not secured");
    }
    lines.add("Ready.");
    return lines;
  }
}
