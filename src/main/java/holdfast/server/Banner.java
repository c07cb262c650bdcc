package holdfast.server;

import java.util.List;

/** What a node says about itself when it serves. */
final class Banner {

  private Banner() {}

  static List<String> lines(Node node, String version) {
    return List.of(
        "Holdfast " + version + ", process " + ProcessHandle.current().pid(),
        "  clients     " + node.grpc() + "  (gRPC)",
        "  management  http://" + node.management() + "/ready",
        "  operators   " + node.admin() + "  (gRPC)",
        "  cluster     " + node.cluster() + ", log at " + node.raft(),
        "  data        " + node.dataDirectory(),
        "  member      %016x of cluster %016x"
            .formatted(node.identity().memberId(), node.identity().clusterId()),
        "Ready.");
  }
}
