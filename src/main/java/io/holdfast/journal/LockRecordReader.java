package io.holdfast.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.internal.journal.Grant;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.lock.Holder;
import io.holdfast.wire.ProtoValues;
import java.util.List;

/** Reads the public record of a lock. */
public final class LockRecordReader {

  private LockRecordReader() {}

  /**
   * The holders of a lock by its public record, which has a part for each.
   *
   * @throws IllegalArgumentException if it is not the record of a lock
   */
  public static List<Holder> holders(PublicRecord record) {
    return record.parts().stream().map(LockRecordReader::holder).toList();
  }

  private static Holder holder(Part part) {
    try {
      return ProtoValues.holder(Grant.parseFrom(part.content().array()));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("no record of a lock: " + e.getMessage(), e);
    }
  }
}
