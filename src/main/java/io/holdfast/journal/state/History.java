package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal's content for one id.
 *
 * @param highest the number of its last event
 * @param stateSequenceNr the last event that the state includes; 0 without a state
 * @param record its public record; null if there is none
 * @param leases the number of leases to which it is attached by itself, whatever its record
 * @param waiters the number of requests that wait for it, as its writer says
 * @param events the last ones, up to {@code highest}
 */
record History(
    long highest,
    long stateSequenceNr,
    @Nullable Bytes state,
    @Nullable PublicRecord record,
    int leases,
    int waiters,
    EventChunks events) {

  static final History NONE = new History(0, 0, null, null, 0, 0, EventChunks.EMPTY);

  /* The pieces. */
  private static final int STATE = 1;
  private static final int EVENTS = 2;

  /** The most bytes of events after a state. */
  private static final long MAX_EVENT_BYTES = 4L << 20;

  /** The history after an append that leaves this record and so many leases. */
  History after(Append append, @Nullable PublicRecord left, int attached) {
    long last = append.sequenceNr();
    int wait = append.draft().waiters();
    return append.state() == null
        ? new History(
            last, stateSequenceNr, state, left, attached, wait, events.with(append.event()))
        : new History(last, last, append.state(), left, attached, wait, EventChunks.EMPTY);
  }

  /** True if no event may follow without a state. */
  boolean isLong(Bounds bounds) {
    return events.count() >= bounds.events() || events.bytes() >= MAX_EVENT_BYTES;
  }

  /**
   * This history without the parts that are attached to a lease, which ended at this revision.
   *
   * @param attached the number of leases to which it is still attached by itself
   */
  History without(LeaseLife lease, Revision revision, int attached) {
    PublicRecord left = record;
    if (left != null && left.partsOn(lease) > 0) {
      left = left.without(lease, revision);
    }
    return new History(highest, stateSequenceNr, state, left, attached, waiters, events);
  }

  long firstSequenceNr() {
    return highest - events.count() + 1;
  }

  Replay replay(long from) {
    long first = Math.min(Math.max(from, firstSequenceNr()), highest + 1);
    List<Bytes> rest = events.after((int) (first - firstSequenceNr()));
    return from <= stateSequenceNr
        ? new Replay(state, stateSequenceNr, first, rest)
        : new Replay(null, 0, first, rest);
  }

  /**
   * Encodes it in pieces: head, state, and chunks of events. Histories that follow each other share
   * the state, and all chunks but the last.
   */
  byte[][] encode() {
    ByteBuffer out = ByteBuffer.allocate(HistoryBytes.HEAD + HistoryBytes.size(record));
    HistoryBytes.put(out, record);
    out.putLong(highest).putLong(stateSequenceNr);
    out.putInt(state == null ? HistoryBytes.NOTHING : state.size());
    out.putInt(leases).putShort((short) waiters).putShort((short) events.count());
    byte[][] chunks = events.chunks();
    byte[][] pieces = new byte[EVENTS + chunks.length][];
    pieces[0] = out.array();
    pieces[STATE] = (state == null ? Bytes.EMPTY : state).array();
    System.arraycopy(chunks, 0, pieces, EVENTS, chunks.length);
    return pieces;
  }

  /** Decodes the pieces, or all in one. */
  static History decode(PersistenceId id, byte[][] pieces) {
    ByteBuffer in = ByteBuffer.wrap(pieces[0]);
    PublicRecord record = HistoryBytes.takeRecord(in, id);
    long highest = in.getLong();
    long stateSequenceNr = in.getLong();
    int stateLength = in.getInt();
    int leases = in.getInt();
    int waiters = Short.toUnsignedInt(in.getShort()); // up to 65,535
    int eventCount = Short.toUnsignedInt(in.getShort());
    boolean isWhole = pieces.length == 1;
    Bytes state = null;
    if (stateLength != HistoryBytes.NOTHING) {
      state = isWhole ? HistoryBytes.take(in, stateLength) : Bytes.of(pieces[STATE]);
    }
    byte[][] chunks =
        isWhole
            ? new byte[][] {HistoryBytes.take(in, in.remaining()).array()}
            : Arrays.copyOfRange(pieces, EVENTS, pieces.length);
    return new History(
        highest,
        stateSequenceNr,
        state,
        record,
        leases,
        waiters,
        EventChunks.of(eventCount, chunks));
  }
}
