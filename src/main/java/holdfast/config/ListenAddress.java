package holdfast.config;

/**
 * Where a server listens.
 *
 * @param port 0 for any that is free
 */
public record ListenAddress(String host, int port) {

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
