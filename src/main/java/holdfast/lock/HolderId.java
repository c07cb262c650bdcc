package holdfast.lock;

/**
 * Who may hold a lock: a client, and what it calls one of its handles. Two threads with two handles
 * have two ids, and exclude each other.
 */
public record HolderId(ClientId client, String value) {

  public static final int MAX_BYTES = 128;

  public HolderId {
    Text.require("holder_id", value, MAX_BYTES);
  }

  @Override
  public String toString() {
    return client + "/" + value;
  }
}
