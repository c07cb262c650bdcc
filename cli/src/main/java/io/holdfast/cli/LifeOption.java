package io.holdfast.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The ttl option of the commands that ask for a grant. */
final class LifeOption {

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      defaultValue = "10s",
      converter = DurationText.class,
      description = "How long the lock is kept for us, 100ms to 24h. Default: ${DEFAULT-VALUE}.")
  private Duration ttl = Duration.ZERO;

  Duration ttl() {
    return ttl;
  }
}
