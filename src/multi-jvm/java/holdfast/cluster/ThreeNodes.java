package holdfast.cluster;

import akka.remote.testconductor.RoleName;
import akka.remote.testkit.MultiNodeConfig;
import com.typesafe.config.ConfigFactory;

/** Three nodes with the settings that nodes have, on addresses that the test kit chooses. */
final class ThreeNodes extends MultiNodeConfig {

  final RoleName first = role("first");
  final RoleName second = role("second");
  final RoleName third = role("third");

  ThreeNodes() {
    commonConfig(
        ConfigFactory.parseString("akka.remote.artery.canonical.port = 0")
            .withFallback(ConfigFactory.load()));
  }
}
