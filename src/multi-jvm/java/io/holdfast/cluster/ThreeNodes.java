package io.holdfast.cluster;

import akka.remote.testconductor.RoleName;
import akka.remote.testkit.MultiNodeConfig;
import com.typesafe.config.ConfigFactory;
import java.util.List;

/** Three JVMs, each of which runs a node beside the test kit's own actor system. */
class ThreeNodes extends MultiNodeConfig {

  final RoleName first = role("first");
  final RoleName second = role("second");
  final RoleName third = role("third");

  ThreeNodes() {
    // The test kit's systems only meet at barriers: they form no cluster.
    commonConfig(
        ConfigFactory.parseString("akka.actor.provider = remote")
            .withFallback(ConfigFactory.parseString("akka.remote.artery.canonical.port = 0"))
            .withFallback(ConfigFactory.parseString("akka.loglevel = WARNING"))
            .withFallback(ConfigFactory.defaultReference()));
  }

  List<RoleName> all() {
    return List.of(first, second, third);
  }
}
