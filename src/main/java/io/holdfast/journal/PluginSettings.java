package io.holdfast.journal;

import com.typesafe.config.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The settings of Akka's blocks for this room's plugins that nobody may change: with others, a
 * write that takes long or is refused would stop the writes of actors that have nothing to do with
 * it, and a broken replay would be repaired in silence.
 */
public final class PluginSettings {

  private record Fixed(String key, String value) {}

  private static final List<Fixed> BREAKER =
      List.of(
          // Never opens: ten refused writes of one actor are no reason to stop all others.
          new Fixed("circuit-breaker.max-failures", Integer.toString(Integer.MAX_VALUE)),
          // No limit: a write has its answer when a majority has, however long that takes.
          new Fixed("circuit-breaker.call-timeout", "0s"));
  private static final Fixed REPLAY = new Fixed("replay-filter.mode", "fail");

  private PluginSettings() {}

  /** What is wrong with them, a sentence for each key. */
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
