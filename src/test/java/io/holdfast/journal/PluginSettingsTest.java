package io.holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.id.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

class PluginSettingsTest {

  @Test
  void the_default_settings_have_no_fault() {
    assertEquals(List.of(), PluginSettings.faults(ConfigFactory.load()));
  }

  @Test
  void a_setting_that_must_not_change_is_named_as_a_fault() {
    for (String block : List.of("journal", "journal-0", "journal-1", "journal-2", "journal-3")) {
      assertFault(block, "class", "akka.persistence.journal.inmem.InmemJournal");
      assertFault(block, "circuit-breaker.max-failures", "10");
      assertFault(block, "circuit-breaker.call-timeout", "10s");
      assertFault(block, "replay-filter.mode", "warn");
    }
    assertFault("snapshots", "class", "akka.persistence.snapshot.local.LocalSnapshotStore");
    assertFault("snapshots", "circuit-breaker.max-failures", "5");
    assertFault("snapshots", "circuit-breaker.call-timeout", "20s");
  }

  @Test
  void shards_are_striped_over_four_journals() {
    List<String> journals = List.of("journal-0", "journal-1", "journal-2", "journal-3");
    for (int shard = 0; shard < 48; shard++) {
      assertEquals(
          "holdfast." + journals.get(shard % 4), HoldfastJournal.pluginId(ShardId.of(shard)));
    }
  }

  @Test
  void a_block_that_is_missing_is_named() {
    Config without = ConfigFactory.load().withoutPath("holdfast.journal-3");
    assertEquals(
        "holdfast.journal-3.class [] must be [io.holdfast.journal.HoldfastJournal]",
        PluginSettings.faults(without).get(0));
  }

  private static void assertFault(String block, String name, String value) {
    String key = "holdfast." + block + "." + name;
    Config config =
        ConfigFactory.parseString(key + " = \"" + value + "\"").withFallback(ConfigFactory.load());
    List<String> faults = PluginSettings.faults(config);
    assertEquals(1, faults.size(), faults::toString);
    assertEquals(key + " [" + value + "]", faults.get(0).replaceAll(" must be .*", ""));
  }
}
