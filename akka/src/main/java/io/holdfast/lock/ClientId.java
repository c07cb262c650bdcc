package io.holdfast.lock;

/**
 * The name that a client gives itself, which is the scope of its request and holder ids. At most
 * 128 bytes; the empty name stands for the one nameless client.
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
