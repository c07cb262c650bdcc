package io.holdfast.journal;

import com.typesafe.config.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The fixed settings of Akka's blocks for this room's plugins. With other values, a slow or refused
 * write would stop the writes of unrelated actors, and a broken replay would be repaired silently.
 */
public final class PluginSettings {

  private record Fixed(String key, String value) {}

  private static final List<Fixed> BREAKER =
      List.of(
          // Never opens: ten refused writes of one actor must not stop all others.
          new Fixed("circuit-breaker.max-failures", Integer.toString(Integer.MAX_VALUE)),
          // No limit: a write is answered once a majority has it, however long that takes.
          new Fixed("circuit-breaker.call-timeout", "0s"));
  private static final Fixed REPLAY = new Fixed("replay-filter.mode", "fail");

  private PluginSettings() {}

  /** The faults of these settings, a sentence for each key. */
  public static List<String> faults(Config config) {
    List<String> faults = new ArrayList<>();
    Stream.concat(
            Stream.of("holdfast.journal"),
            IntStream.range(0, HoldfastJournal.STRIPES).mapToObj(HoldfastJournal::pluginId))
        .forEach(
            block -> {
              check(config, block, new Fixed("class", HoldfastJournal.class.getName()), faults);
              BREAKER.forEach(fixed -> check(config, block, fixed, faults));
              check(config, block, REPLAY, faults);
            });
    check(
        config,
        HoldfastSnapshots.PLUGIN_ID,
        new Fixed("class", HoldfastSnapshots.class.getName()),
        faults);
    BREAKER.forEach(fixed -> check(config, HoldfastSnapshots.PLUGIN_ID, fixed, faults));
    return faults;
  }

  private static void check(Config config, String block, Fixed fixed, List<String> faults) {
    String key = block + "." + fixed.key;
    String value = config.hasPath(key) ? config.getString(key) : "";
    if (!value.equals(fixed.value)) {
      faults.add("%s [%s] must be [%s]".formatted(key, value, fixed.value));
    }
  }
}
