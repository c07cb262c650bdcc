package io.holdfast.config.member;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses of servers as they are written: {@code host:port}, an IPv6 address in brackets.
 * Printable ASCII, as all that coordination keeps: it would refuse a configuration with another.
 */
public final class Addresses {

  /** Characters of an address. */
  public static final int MAX_LENGTH = 512;

  private static final Pattern FORM =
      Pattern.compile("(\\[([0-9a-fA-F:.]+)]|[!-~&&[^:/\\[\\]]]+):(\\d{1,5})");

  private Addresses() {}

  /** Reads one address; empty if it is none. */
  public static Optional<ListenAddress> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    int port = Integer.parseInt(form.group(3));
    if (port < 1 || port > 65_535) {
      return Optional.empty();
    }
    String host = form.group(2) == null ? form.group(1) : form.group(2);
    return Optional.of(new ListenAddress(host, port));
  }
}
