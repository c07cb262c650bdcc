package io.holdfast.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.holdfast.config.member.InvalidSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The configuration as a whole: system properties, the operator's file, then the defaults. */
public final class ConfigurationFile {

  private ConfigurationFile() {}

  /**
   * Loads the configuration of this process.
   *
   * @param file the operator's file, if one was named
   * @throws InvalidSettings if the file cannot be read
   */
  public static Config load(Optional<Path> file) throws InvalidSettings {
    try {
      Config own = file.isPresent() ? parse(file.get()) : ConfigFactory.empty();
      Config usual = ConfigFactory.defaultReferenceUnresolved();
      return ConfigFactory.defaultOverrides()
          .withFallback(own)
          .withFallback(ConfigFactory.parseResources("holdfast-node.conf"))
          .withFallback(HeapDefaults.of(Runtime.getRuntime().maxMemory(), usual))
          .withFallback(usual)
          .resolve();
    } catch (ConfigException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new InvalidSettings(List.of("the configuration cannot be read: " + reason));
    }
  }

  private static Config parse(Path file) throws InvalidSettings {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new InvalidSettings(List.of("the configuration file [" + file + "] cannot be read"));
    }
    return ConfigFactory.parseFile(
        file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
  }
}
