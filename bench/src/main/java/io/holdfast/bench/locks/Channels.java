package io.holdfast.bench.locks;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.holdfast.bench.cluster.NodePlace;

/** Opens connections to nodes, and names the holders that use them. */
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
