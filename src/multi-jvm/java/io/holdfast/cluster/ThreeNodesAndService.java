package io.holdfast.cluster;

import akka.remote.testconductor.RoleName;
import java.util.List;

/** Three JVMs that run a node each, and one that runs a service. */
final class ThreeNodesAndService extends ThreeNodes {

  final RoleName service = role("service");

  @Override
  List<RoleName> all() {
    return List.of(first, second, third, service);
  }
}
