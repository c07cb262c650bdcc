package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import java.nio.ByteBuffer;

/** The key of a client's request, by which its outcome is found. */
public sealed interface RequestKey {

  /**
   * A request of a client that has a session. Its outcome is kept until the client no longer waits
   * for it, or until the lease ends.
   *
   * @param lease of the session
   * @param number the number of the request, which the client has given to no other
   * @param lowestOpen the lowest number for which the client still waits
   */
  record Numbered(LeaseLife lease, long number, long lowestOpen) implements RequestKey {
    public Numbered {
      Required.within("request number", number, 0, Long.MAX_VALUE);
      Required.within("lowest open request", lowestOpen, 0, number);
    }

    static byte[] key(LeaseLife lease) {
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(lease.id().value())
          .putLong(lease.incarnation().value())
          .array();
    }
  }

  /**
   * A request without a session, identified by both texts. Its outcome is kept for a time, which
   * the shard's owner measures.
   */
  record Named(String client, String id) implements RequestKey {

    /** The most bytes of both texts together, in UTF-8. */
    public static final int MAX_BYTES = 300;

    public Named {
      Required.within("request name", Bytes.of(client + id).size(), 1, MAX_BYTES);
    }

    /** The length of both texts together, in UTF-8. */
    public int bytes() {
      return Bytes.of(client + id).size();
    }

    /** The common prefix of the keys of all requests of the client, and of no others. */
    byte[] clientKey() {
      byte[] name = Bytes.of(client).array();
      return ByteBuffer.allocate(Short.BYTES + name.length)
          .putShort((short) name.length)
          .put(name)
          .array();
    }

    byte[] key() {
      byte[] of = clientKey();
      byte[] name = Bytes.of(id).array();
      return ByteBuffer.allocate(of.length + name.length).put(of).put(name).array();
    }
  }
}
