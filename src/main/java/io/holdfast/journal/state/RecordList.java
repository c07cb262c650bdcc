package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** The first few records of several shards, in the order of their keys. */
final class RecordList {

  /** A key, and the first piece of its history, which has the record. */
  private record Found(Bytes key, int place, Bytes history) {}

  private static final Comparator<Found> ORDER =
      Comparator.comparing(Found::key).thenComparingInt(Found::place);

  private final int limit;
  private final PriorityQueue<Found> first = new PriorityQueue<>(ORDER.reversed());
  private int places;

  RecordList(int limit) {
    this.limit = limit;
  }

  /** Adds the records of one shard, up to the first that is beyond the limit. */
  void add(SortedBytes histories, String prefix, byte[] from) {
    if (limit < 1) {
      return;
    }
    int place = places++;
    histories.scan(
        Bytes.of(prefix).array(),
        from,
        (key, history) -> add(new Found(Bytes.of(key), place, Bytes.of(history[0]))));
  }

  /** Returns true if a later key may still have a place. */
  private boolean add(Found found) {
    boolean isFull = first.size() == limit;
    if (isFull && ORDER.compare(found, first.element()) > 0) {
      return false;
    }
    if (HistoryBytes.hasRecord(found.history.array())) {
      if (isFull) {
        first.remove();
      }
      first.add(found);
    }
    return true;
  }

  List<PublicRecord> records() {
    List<Found> inOrder = new ArrayList<>(first);
    Collections.sort(inOrder, ORDER);
    List<PublicRecord> records = new ArrayList<>(inOrder.size());
    for (Found found : inOrder) {
      record(new PersistenceId(found.key.text()), found.history.array()).ifPresent(records::add);
    }
    return List.copyOf(records);
  }

  static Optional<PublicRecord> record(PersistenceId id, byte[] history) {
    return Optional.ofNullable(HistoryBytes.takeRecord(ByteBuffer.wrap(history), id));
  }
}
