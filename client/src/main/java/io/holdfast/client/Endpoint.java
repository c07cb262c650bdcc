package io.holdfast.client;

import java.net.InetAddress;
import java.util.regex.Pattern;

/**
 * The address of a node: {@code host:port}, or {@code [address]:port} for IPv6.
 *
 * @param authority the name in its certificate: the name that was resolved, or the host
 */
record Endpoint(String host, int port, String authority) {

  private static final int MAX_PORT = 65_535;
  private static final Pattern IPV4 = Pattern.compile("[0-9.]+");

  Endpoint(String host, int port) {
    this(host, port, host);
  }

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

  /** True if the host is a name, which may stand for several addresses. */
  boolean isName() {
    return host.indexOf(':') < 0 && !IPV4.matcher(host).matches();
  }

  /** Returns an endpoint at one of the addresses of its name. */
  Endpoint at(InetAddress address) {
    return new Endpoint(address.getHostAddress(), port, authority);
  }

  /** True if both have the same address. */
  boolean isSame(Endpoint other) {
    return host.equals(other.host) && port == other.port;
  }

  /** Returns the authority with the port, as in a request. */
  String authorityAndPort() {
    return text(authority, port);
  }

  @Override
  public String toString() {
    return text(host, port);
  }

  private static String text(String host, int port) {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
