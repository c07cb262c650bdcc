package io.holdfast.config.member;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads one tree of settings and collects what is wrong with it: values of a wrong type, values out
 * of bounds, and keys that nobody reads. A faulty value reads as a harmless one until {@link
 * #finish} reports it.
 */
public final class SettingsReader {

  /** A name in the DNS has at most so many characters. */
  private static final int MAX_HOST = 253;

  private final Config config;
  private final String root;
  private final Set<String> known = new HashSet<>();
  private final List<String> faults = new ArrayList<>();
  private final Set<String> notOurs = new HashSet<>();

  public SettingsReader(Config config, String root) {
    this.config = config.getConfig(root);
    this.root = root;
  }

  public Path path(String key) {
    return value(key, this::toPath, Path.of(""));
  }

  public Optional<Path> pathOrNothing(String key) {
    return value(
        key,
        k -> config.getString(k).isEmpty() ? Optional.empty() : Optional.of(toPath(k)),
        Optional.empty());
  }

  public ListenAddress address(String key) {
    return new ListenAddress(host(key + ".host"), integer(key + ".port", 0, 65_535));
  }

  public int integer(String key, int min, int max) {
    return value(
        key,
        k -> {
          // A number too large for an int is out of bounds, not of a wrong type.
          long number = config.getLong(k);
          require(config.getDouble(k) == number, k, config.getDouble(k), "a whole number");
          require(number >= min && number <= max, k, number, "in [" + min + ", " + max + "]");
          return (int) number;
        },
        min);
  }

  /** A size, with or without a unit. */
  public long bytes(String key, long min, long max) {
    return value(
        key,
        k -> {
          long bytes = config.getBytes(k);
          require(
              bytes >= min && bytes <= max,
              k,
              config.getValue(k).unwrapped(),
              "in [" + min + ", " + max + "] bytes");
          return bytes;
        },
        min);
  }

  public Duration duration(String key, Duration min, Duration max) {
    return value(
        key,
        k -> {
          Duration duration = config.getDuration(k);
          require(
              duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0,
              k,
              config.getValue(k).unwrapped(),
              "in [" + min.toMillis() + "ms, " + max.toMillis() + "ms]");
          return duration;
        },
        min);
  }

  public boolean isOn(String key) {
    return value(key, config::getBoolean, false);
  }

  /** A host name or address, or nothing. */
  public String hostOrNothing(String key) {
    return value(
        key,
        k -> {
          String host = config.getString(k);
          boolean isPlain =
              host.length() <= MAX_HOST && host.chars().allMatch(c -> c > ' ' && c < 0x7f);
          require(
              isPlain, k, host, "a host name or address of at most [" + MAX_HOST + "] characters");
          return host;
        },
        "");
  }

  /** One of an enumeration's constants, written in lower case. */
  public <E extends Enum<E>> E choice(String key, Class<E> choices) {
    E[] constants = choices.getEnumConstants();
    return value(
        key,
        k -> {
          String text = config.getString(k);
          for (E constant : constants) {
            if (written(constant).equals(text)) {
              return constant;
            }
          }
          List<String> allowed = Arrays.stream(constants).map(SettingsReader::written).toList();
          throw new OutOfBounds(fault(k, text, "one of " + allowed));
        },
        constants[0]);
  }

  /** A list, or one text with commas; each part that cannot be read is a fault of its own. */
  public <T> List<T> each(String key, String allowed, Function<String, Optional<T>> parse) {
    List<T> parts = new ArrayList<>();
    for (String part : value(key, this::texts, List.<String>of())) {
      parse.apply(part).ifPresentOrElse(parts::add, () -> faults.add(fault(key, part, allowed)));
    }
    return parts;
  }

  /** Settings of something that is switched off. */
  public void unused(String... keys) {
    known.addAll(List.of(keys));
  }

  /** Notes a fault of a value that was read, as the end of a sentence that begins with its key. */
  public void fault(String key, String problem) {
    faults.add(root + "." + key + " " + problem + origin(config.getValue(key)));
  }

  /** Leaves the settings below these names to other readers. */
  public void leave(String... names) {
    notOurs.addAll(List.of(names));
  }

  /** Reports all faults found so far, and each key of the tree that nobody has read. */
  public void finish() throws InvalidSettings {
    config.entrySet().stream()
        .filter(entry -> !known.contains(entry.getKey()))
        .filter(entry -> !notOurs.contains(ConfigUtil.splitPath(entry.getKey()).get(0)))
        .map(entry -> root + "." + entry.getKey() + " is no setting" + origin(entry.getValue()))
        .sorted()
        .forEach(faults::add);
    finishPart();
  }

  /** Reports all faults found so far, for one who reads only a part of the tree. */
  void finishPart() throws InvalidSettings {
    if (!faults.isEmpty()) {
      throw new InvalidSettings(faults);
    }
  }

  private String host(String key) {
    return value(
        key,
        k -> {
          String host = config.getString(k);
          require(!host.isBlank(), k, host, "a host name or address");
          return host;
        },
        "");
  }

  private List<String> texts(String key) {
    ConfigValue value = config.getValue(key);
    List<String> texts =
        value.valueType() == ConfigValueType.STRING
            ? List.of(config.getString(key).split(","))
            : config.getStringList(key);
    return texts.stream().map(String::strip).filter(text -> !text.isEmpty()).toList();
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private Path toPath(String key) {
    String text = config.getString(key);
    require(!text.isBlank(), key, text, "a path");
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new OutOfBounds(fault(key, text, "a path"));
    }
  }

  private <T> T value(String key, Function<String, T> read, T harmless) {
    known.add(key);
    try {
      return read.apply(key);
    } catch (OutOfBounds e) {
      faults.add(String.valueOf(e.getMessage()));
    } catch (ConfigException.Missing e) {
      faults.add(root + "." + key + " is missing");
    } catch (ConfigException e) {
      faults.add(root + "." + key + " cannot be read: " + reason(e));
    }
    return harmless;
  }

  private void require(boolean holds, String key, Object value, String allowed) {
    if (!holds) {
      throw new OutOfBounds(fault(key, value, allowed));
    }
  }

  private String fault(String key, Object value, String allowed) {
    return "%s.%s [%s] is not %s%s"
        .formatted(root, key, value, allowed, origin(config.getValue(key)));
  }

  private static String origin(ConfigValue value) {
    return " (" + value.origin().description() + ")";
  }

  /** The library's own text, without the class it names and on one line. */
  private static String reason(ConfigException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static final class OutOfBounds extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutOfBounds(String message) {
      super(message, null, false, false);
    }
  }
}
