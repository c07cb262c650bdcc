package io.holdfast.lock;

/**
 * What a client calls itself: the scope of its request and holder ids. At most 128 bytes; empty is
 * the one nameless client.
 */
public record ClientId(String value) {

  public static final int MAX_BYTES = 128;
  public static final ClientId NAMELESS = new ClientId("");

  public ClientId {
    if (!value.isEmpty()) {
      Text.require("client_id", value, MAX_BYTES);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
