package io.holdfast.config.member;

import com.typesafe.config.Config;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a service in the cluster of the nodes, all of them checked; {@code
 * holdfast.service} in reference.conf, and what it shares with nodes.
 *
 * @param contacts the addresses of the actor systems of some nodes, one at least
 * @param joinWithin a service that is not up in the cluster by then gives up
 * @param answerWithin the longest wait for a lock's answer
 */
public record ServiceSettings(
    List<ListenAddress> contacts,
    Duration joinWithin,
    SessionSettings session,
    Duration answerWithin) {

  /** The path of all settings of Holdfast. */
  public static final String ROOT = "holdfast";

  public ServiceSettings {
    contacts = List.copyOf(contacts);
  }

  /**
   * Reads and checks the settings.
   *
   * @param config with {@code holdfast} at its root
   * @throws InvalidSettings with all faults, if there are any
   */
  public static ServiceSettings from(Config config) throws InvalidSettings {
    SettingsReader read = new SettingsReader(config, ROOT);
    ServiceSettings settings =
        new ServiceSettings(
            read.each("service.contacts", "host:port", Addresses::parse),
            read.duration("service.join-within", Duration.ofSeconds(1), Duration.ofMinutes(10)),
            SessionSettings.from(read),
            answerWithin(read));
    if (settings.contacts.isEmpty()) {
      read.fault("service.contacts", "names no node");
    }
    read.finishPart();
    return settings;
  }

  /** Reads how long a member waits for a lock's answer. */
  public static Duration answerWithin(SettingsReader read) {
    return read.duration("locks.answer-within", Duration.ofMillis(100), Duration.ofMinutes(1));
  }
}
