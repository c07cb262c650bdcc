package holdfast.client;

/** Where a node listens: {@code host:port}, or {@code [address]:port} for IPv6. */
record Endpoint(String host, int port) {

  private static final int MAX_PORT = 65_535;

  static Endpoint parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw invalid(text);
    }
    int port = colon < 0 ? 0 : port(text, text.substring(colon + 1));
    if (host.isBlank() || port < 1 || port > MAX_PORT) {
      throw invalid(text);
    }
    return new Endpoint(host, port);
  }

  private static int port(String text, String port) {
    try {
      return Integer.parseInt(port);
    } catch (NumberFormatException e) {
      throw invalid(text);
    }
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException("endpoint [" + text + "] is not host:port");
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
