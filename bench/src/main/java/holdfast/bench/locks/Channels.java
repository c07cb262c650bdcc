package holdfast.bench.locks;

import holdfast.bench.cluster.NodePlace;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;

/** How the nodes are reached, and who asks them. */
final class Channels {

  private Channels() {}

  /** One connection, whose answers are read by the thread that receives them. */
  static ManagedChannel to(NodePlace place) {
    return Grpc.newChannelBuilderForAddress(
            place.host(), place.grpc(), InsecureChannelCredentials.create())
        .directExecutor()
        .build();
  }

  static String holder(int seat) {
    return "seat-" + seat;
  }
}
