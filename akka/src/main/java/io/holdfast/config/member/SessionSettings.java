package io.holdfast.config.member;

import java.time.Duration;

/**
 * The settings of a node's own session, by which the cluster sees that it is alive; {@code
 * holdfast.session} in reference.conf.
 *
 * @param ttl the time for which the cluster counts it as alive without a renewal
 * @param renewal the interval of its renewals
 */
public record SessionSettings(Duration ttl, Duration renewal) {

  public static SessionSettings from(SettingsReader read) {
    return new SessionSettings(
        read.duration("session.ttl", Duration.ofMillis(500), Duration.ofMinutes(1)),
        read.duration("session.renewal", Duration.ofMillis(10), Duration.ofSeconds(30)));
  }
}
