package io.holdfast.config.member;

/**
 * An address that a server listens at.
 *
 * @param port 0 for any that is free
 */
public record ListenAddress(String host, int port) {

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
