package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests Akka's settings that make a fail-over take a second. Each costs seconds if it is lost. */
class FailOverSettingsTest {

  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("gossip-interval", "100ms"),
          Map.entry("leader-actions-interval", "100ms"),
          Map.entry("periodic-tasks-initial-delay", "100ms"),
          Map.entry("unreachable-nodes-reaper-interval", "200ms"),
          Map.entry("retry-unsuccessful-join-after", "1s"),
          Map.entry("singleton.hand-over-retry-interval", "200ms"),
          Map.entry("sharding.use-lease", "holdfast.lease"),
          Map.entry("sharding.lease-retry-interval", "200ms"),
          Map.entry("sharding.retry-interval", "200ms"),
          Map.entry("sharding.waiting-for-state-timeout", "500ms"),
          Map.entry("sharding.updating-state-timeout", "500ms"),
          Map.entry("sharding.coordinator-failure-backoff", "500ms"),
          Map.entry("sharding.shard-start-timeout", "1s"),
          Map.entry("sharding.coordinator-state.write-majority-plus", "0"),
          Map.entry("sharding.coordinator-state.read-majority-plus", "0"),
          Map.entry("sharding.distributed-data.majority-min-cap", "2"),
          Map.entry("downing-provider-class", "io.holdfast.coordination.akka.RaftDowningProvider"));

  @Test
  void akka_is_told_what_fail_over_needs() {
    Config cluster = ConfigFactory.load().getConfig("akka.cluster");
    Map<String, String> found = new TreeMap<>();
    SETTINGS.keySet().forEach(path -> found.put(path, cluster.getString(path)));
    assertEquals(new TreeMap<>(SETTINGS), found);
  }

  @Test
  void there_are_enough_shards_to_spread_and_few_enough_to_move() {
    int shards = ConfigFactory.load().getInt("holdfast.locks.shards");
    assertEquals(48, shards);
  }
}
