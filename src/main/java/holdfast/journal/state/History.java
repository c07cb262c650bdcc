package holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is kept of one id.
 *
 * @param highest the number of its last event
 * @param stateSequenceNr the last event that the state counts in, 0 without a state
 * @param events the last ones, up to {@code highest}
 */
record History(
    long highest,
    long stateSequenceNr,
    @Nullable Bytes state,
    long publicRevision,
    @Nullable Bytes publicRecord,
    List<LeaseRef> leases,
    List<Bytes> events) {

  static final History NONE = new History(0, 0, null, 0, null, List.of(), List.of());

  private static final int HEAD = 8 + 8 + 4 + 8 + 4 + 2 + 4;
  private static final int NOTHING = -1;

  /** What an append makes of it, at this revision. */
  History after(Append append, long revision) {
    List<Bytes> all = List.of();
    if (append.state() == null) {
      all = new ArrayList<>(events);
      all.addAll(append.events());
    }
    long last = append.lastSequenceNr();
    long seen = publicRevision;
    Bytes left = publicRecord;
    if (append.publicChange() instanceof PublicChange.Set set) {
      seen = revision;
      left = set.content();
    } else if (append.publicChange() instanceof PublicChange.Absent) {
      seen = revision;
      left = null;
    } else if (!(append.publicChange() instanceof PublicChange.None)) {
      throw new AssertionError(append.publicChange());
    }
    return append.state() == null
        ? new History(last, stateSequenceNr, state, seen, left, append.leases(), all)
        : new History(last, last, append.state(), seen, left, append.leases(), all);
  }

  /** Without the events up to this number, and without a state that is older. */
  History deletedTo(long sequenceNr) {
    long drop = Math.min(events.size(), sequenceNr - firstSequenceNr() + 1);
    if (drop <= 0) {
      return this;
    }
    List<Bytes> rest = events.subList((int) drop, events.size());
    return new History(highest, 0, null, publicRevision, publicRecord, leases, rest);
  }

  long firstSequenceNr() {
    return highest - events.size() + 1;
  }

  Replay replay(long from) {
    long first = Math.min(Math.max(from, firstSequenceNr()), highest + 1);
    List<Bytes> rest = events.subList((int) (first - firstSequenceNr()), events.size());
    return from <= stateSequenceNr
        ? new Replay(state, stateSequenceNr, first, rest)
        : new Replay(null, 0, first, rest);
  }

  byte[] encode() {
    int size = HEAD + 16 * leases.size() + size(state) + size(publicRecord);
    for (Bytes event : events) {
      size += 4 + event.size();
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    out.putLong(highest).putLong(stateSequenceNr).putInt(length(state));
    out.putLong(publicRevision).putInt(length(publicRecord));
    out.putShort((short) leases.size()).putInt(events.size());
    for (LeaseRef lease : leases) {
      out.putLong(lease.id()).putLong(lease.incarnation());
    }
    if (state != null) {
      out.put(state.array());
    }
    if (publicRecord != null) {
      out.put(publicRecord.array());
    }
    for (Bytes event : events) {
      out.putInt(event.size()).put(event.array());
    }
    return out.array();
  }

  static History decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long highest = in.getLong();
    long stateSequenceNr = in.getLong();
    int stateLength = in.getInt();
    long publicRevision = in.getLong();
    int publicLength = in.getInt();
    int leaseCount = Short.toUnsignedInt(in.getShort());
    int eventCount = in.getInt();
    List<LeaseRef> leases = new ArrayList<>(leaseCount);
    for (int i = 0; i < leaseCount; i++) {
      leases.add(new LeaseRef(in.getLong(), in.getLong()));
    }
    Bytes state = stateLength == NOTHING ? null : take(in, stateLength);
    Bytes publicRecord = publicLength == NOTHING ? null : take(in, publicLength);
    List<Bytes> events = new ArrayList<>(eventCount);
    for (int i = 0; i < eventCount; i++) {
      events.add(take(in, in.getInt()));
    }
    return new History(
        highest, stateSequenceNr, state, publicRevision, publicRecord, leases, events);
  }

  private static Bytes take(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return Bytes.of(bytes);
  }

  private static int length(@Nullable Bytes bytes) {
    return bytes == null ? NOTHING : bytes.size();
  }

  private static int size(@Nullable Bytes bytes) {
    return bytes == null ? 0 : bytes.size();
  }
}
