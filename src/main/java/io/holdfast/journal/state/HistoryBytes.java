package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The format of a {@link History}'s parts. The record comes first, so that a reader of records
 * reads no more: the number of its parts, 0 without a record; and if there are any, three numbers
 * and each part with its length, of which one bit says that it is attached to a lease.
 */
final class HistoryBytes {

  static final int NOTHING = -1;

  /**
   * The fixed length of every history: the number of parts, two numbers, and the lengths of the
   * rest.
   */
  static final int HEAD = Short.BYTES + 2 * Long.BYTES + 2 * Integer.BYTES + 2 * Short.BYTES;

  private static final int RECORD = 3 * Long.BYTES;
  private static final int LEASE = 2 * Long.BYTES;
  private static final int ON_A_LEASE = 1 << 31;

  private HistoryBytes() {}

  static boolean hasRecord(byte[] history) {
    return history[0] != 0 || history[1] != 0;
  }

  static int size(@Nullable PublicRecord record) {
    if (record == null) {
      return 0;
    }
    int size = RECORD;
    for (Part part : record.parts()) {
      size += Integer.BYTES + part.content().size() + (part.lease() == null ? 0 : LEASE);
    }
    return size;
  }

  static void put(ByteBuffer out, @Nullable PublicRecord record) {
    if (record == null) {
      out.putShort((short) 0);
      return;
    }
    out.putShort((short) record.parts().size());
    out.putLong(record.created().value())
        .putLong(record.revision().value())
        .putLong(record.version());
    for (Part part : record.parts()) {
      LeaseLife lease = part.lease();
      int size = part.content().size();
      out.putInt(lease == null ? size : size | ON_A_LEASE).put(part.content().array());
      if (lease != null) {
        put(out, lease);
      }
    }
  }

  static @Nullable PublicRecord takeRecord(ByteBuffer in, PersistenceId id) {
    int count = Short.toUnsignedInt(in.getShort());
    if (count == 0) {
      return null;
    }
    Revision created = new Revision(in.getLong());
    Revision revision = new Revision(in.getLong());
    long version = in.getLong();
    List<Part> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int size = in.getInt();
      Bytes content = take(in, size & ~ON_A_LEASE);
      parts.add(new Part(content, (size & ON_A_LEASE) == 0 ? null : takeLease(in)));
    }
    return new PublicRecord(id, parts, created, revision, version);
  }

  static Bytes take(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return Bytes.of(bytes);
  }

  private static void put(ByteBuffer out, LeaseLife lease) {
    out.putLong(lease.id().value()).putLong(lease.incarnation().value());
  }

  private static LeaseLife takeLease(ByteBuffer in) {
    return LeaseLife.of(new LeaseId(in.getLong()), new Revision(in.getLong()));
  }
}
