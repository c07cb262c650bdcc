package io.holdfast.lock;

/**
 * The identity of a holder: a client, and the name of one of its handles. Two threads with two
 * handles have two ids, and exclude each other.
 *
 * @param client the scope of the value; nameless if a lease is the scope
 * @param lease the id of the shared lease or session that is the scope of the value, or 0
 */
public record HolderId(ClientId client, long lease, String value) {

  public static final int MAX_BYTES = 128;

  public HolderId {
    OutOfBound.check("lease_id", lease, 0, Long.MAX_VALUE);
    Text.require("holder_id", value, MAX_BYTES);
    if (lease != 0) {
      client = ClientId.NAMELESS;
    }
  }

  /** Creates the id of a handle of a client without a session. */
  public static HolderId of(ClientId client, String value) {
    return new HolderId(client, 0, value);
  }

  @Override
  public String toString() {
    return (lease == 0 ? client : lease) + "/" + value;
  }
}
