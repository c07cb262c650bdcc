package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal's content for one id.
 *
 * @param highest the number of its last event
 * @param stateSequenceNr the last event that the state includes; 0 without a state
 * @param record its public record; null if there is none
 * @param leases to which it is attached, beside the leases of its record; all alive
 * @param waiters the number of requests that wait for it, as its writer says
 * @param events the last ones, up to {@code highest}
 */
record History(
    long highest,
    long stateSequenceNr,
    @Nullable Bytes state,
    @Nullable PublicRecord record,
    List<LeaseLife> leases,
    int waiters,
    List<Bytes> events) {

  static final History NONE = new History(0, 0, null, null, List.of(), 0, List.of());

  /** The history after an append that leaves this record and these leases. */
  History after(Append append, @Nullable PublicRecord left, List<LeaseLife> attached) {
    long last = append.sequenceNr();
    int wait = append.draft().waiters();
    if (append.state() != null) {
      return new History(last, last, append.state(), left, attached, wait, List.of());
    }
    List<Bytes> all = new ArrayList<>(events.size() + 1);
    all.addAll(events);
    all.add(append.event());
    return new History(last, stateSequenceNr, state, left, attached, wait, all);
  }

  /**
   * This history without a lease that ended at this revision, and without the parts attached to it.
   */
  History without(LeaseLife lease, Revision revision) {
    List<LeaseLife> rest = new ArrayList<>(leases);
    rest.remove(lease);
    PublicRecord left = record;
    if (left != null && left.partsOn(lease) > 0) {
      left = left.without(lease, revision);
    }
    return new History(highest, stateSequenceNr, state, left, rest, waiters, events);
  }

  /** All leases to which it is attached. */
  List<LeaseLife> hangsOn() {
    if (record == null) {
      return leases;
    }
    List<LeaseLife> ofParts = List.of();
    for (Part part : record.parts()) {
      LeaseLife lease = part.lease();
      if (lease != null) {
        ofParts = ofParts.isEmpty() ? new ArrayList<>(1) : ofParts;
        ofParts.add(lease);
      }
    }
    return LeaseLists.with(leases, ofParts);
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

  /**
   * Encodes it in three pieces. The second is the state: histories that follow each other with the
   * same large state share it.
   */
  byte[][] encode() {
    ByteBuffer out =
        ByteBuffer.allocate(
            HistoryBytes.HEAD + HistoryBytes.size(record) + HistoryBytes.size(leases));
    HistoryBytes.put(out, record);
    out.putLong(highest).putLong(stateSequenceNr);
    out.putInt(state == null ? HistoryBytes.NOTHING : state.size());
    out.putShort((short) leases.size()).putShort((short) waiters).putShort((short) events.size());
    HistoryBytes.put(out, leases);
    Bytes stateOrNone = state == null ? Bytes.EMPTY : state;
    return new byte[][] {out.array(), stateOrNone.array(), encodedEvents()};
  }

  private byte[] encodedEvents() {
    int size = 0;
    for (Bytes event : events) {
      size += Integer.BYTES + event.size();
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (Bytes event : events) {
      out.putInt(event.size()).put(event.array());
    }
    return out.array();
  }

  /** Decodes the three pieces, or all in one. */
  static History decode(PersistenceId id, byte[][] pieces) {
    ByteBuffer in = ByteBuffer.wrap(pieces[0]);
    PublicRecord record = HistoryBytes.takeRecord(in, id);
    long highest = in.getLong();
    long stateSequenceNr = in.getLong();
    int stateLength = in.getInt();
    int leaseCount = Short.toUnsignedInt(in.getShort());
    int waiters = Short.toUnsignedInt(in.getShort()); // up to 65,535
    int eventCount = Short.toUnsignedInt(in.getShort());
    List<LeaseLife> leases = HistoryBytes.takeLeases(in, leaseCount);
    Bytes state = null;
    if (stateLength != HistoryBytes.NOTHING) {
      state = pieces.length == 1 ? HistoryBytes.take(in, stateLength) : Bytes.of(pieces[1]);
    }
    in = pieces.length == 1 ? in : ByteBuffer.wrap(pieces[2]);
    List<Bytes> events = new ArrayList<>(eventCount);
    for (int i = 0; i < eventCount; i++) {
      events.add(HistoryBytes.take(in, in.getInt()));
    }
    return new History(highest, stateSequenceNr, state, record, leases, waiters, events);
  }
}
