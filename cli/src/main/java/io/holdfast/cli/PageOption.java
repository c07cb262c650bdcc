package io.holdfast.cli;

import com.google.protobuf.ByteString;
import java.util.Base64;
import picocli.CommandLine.Option;

/** The options that select a page of a list. */
final class PageOption {

  private static final int MAX_PAGE = 1_000;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many at most, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Option(
      names = "--page",
      paramLabel = "TOKEN",
      defaultValue = "",
      description = "Goes on where an earlier list of the same ended, by the token it told.")
  private String page = "";

  @Option(names = "--all", description = "Goes on to the end, page by page.")
  private boolean all;

  /** One page of a list. */
  interface Source {

    /** Shows a page, and returns where the next one begins; empty if this was the last. */
    ByteString show(int limit, ByteString from);
  }

  /** Shows what was asked for, and tells if there is more. */
  void show(Source source, Notices notices) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException(
          "--limit [%d] is not within [1] and [%d]".formatted(limit, MAX_PAGE));
    }
    ByteString next = source.show(limit, read(page));
    while (all && !next.isEmpty()) {
      next = source.show(limit, next);
    }
    if (!next.isEmpty()) {
      notices.warn("there is more: --page " + write(next));
    }
  }

  static String write(ByteString token) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token.toByteArray());
  }

  private static ByteString read(String text) {
    try {
      return ByteString.copyFrom(Base64.getUrlDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--page [" + text + "] is no token of a page", e);
    }
  }
}
