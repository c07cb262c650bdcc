package io.holdfast.lock;

import io.holdfast.id.LeaseId;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a holder: a client, and the name of one of its handles. Two threads with two
 * handles have two ids, and exclude each other.
 *
 * @param client the scope of the value; nameless if a lease is the scope
 * @param lease the shared lease or session that is the scope of the value, if one is
 */
public record HolderId(ClientId client, @Nullable LeaseId lease, String value) {

  public static final int MAX_BYTES = 128;

  public HolderId {
    Text.require("holder_id", value, MAX_BYTES);
    if (lease != null) {
      OutOfBound.check("lease_id", lease.value(), 1, Long.MAX_VALUE);
      client = ClientId.NAMELESS;
    }
  }

  /** Creates the id of a handle of a client without a session. */
  public static HolderId of(ClientId client, String value) {
    return new HolderId(client, null, value);
  }

  @Override
  public String toString() {
    return (lease == null ? client : lease) + "/" + value;
  }
}
