package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One id in the {@link NaiveJournal}. */
final class NaiveId {

  long highest;
  long stateAt;
  @Nullable Bytes state;
  final TreeMap<Long, Bytes> events = new TreeMap<>();
  @Nullable PublicRecord record;
  List<LeaseLife> leases = List.of();

  NaiveId copy() {
    NaiveId copy = new NaiveId();
    copy.highest = highest;
    copy.stateAt = stateAt;
    copy.state = state;
    copy.events.putAll(events);
    copy.record = record;
    copy.leases = leases;
    return copy;
  }
}
