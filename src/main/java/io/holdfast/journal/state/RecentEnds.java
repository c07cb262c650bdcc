package io.holdfast.journal.state;

import io.holdfast.id.LeaseLife;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The leases that ended last, newest first, each with the index of its entry. Immutable: an end
 * returns another one, which shares the rest. It is known on this node only, and no part of the
 * content: a member that begins with a snapshot knows no earlier end.
 */
final class RecentEnds {

  /** The number of ends that are always kept, if there were as many. */
  static final int LEAST = 1_024;

  private record End(long index, LeaseLife lease, @Nullable End before) {}

  private final long since;
  private final @Nullable End last;
  private final int count;

  private RecentEnds(long since, @Nullable End last, int count) {
    this.since = since;
    this.last = last;
    this.count = count;
  }

  /** None yet: the ends of all later entries follow. */
  static RecentEnds after(long index) {
    return new RecentEnds(index, null, 0);
  }

  RecentEnds with(long index, LeaseLife lease) {
    RecentEnds kept = count < 2 * LEAST ? this : latest();
    return new RecentEnds(kept.since, new End(index, lease, kept.last), kept.count + 1);
  }

  private RecentEnds latest() {
    List<End> latest = new ArrayList<>(LEAST);
    End each = last;
    while (each != null && latest.size() < LEAST) {
      latest.add(each);
      each = each.before;
    }
    End rest = null;
    for (int i = latest.size() - 1; i >= 0; i--) {
      rest = new End(latest.get(i).index, latest.get(i).lease, rest);
    }
    return new RecentEnds(each == null ? since : each.index, rest, latest.size());
  }

  /** The leases that ended after an entry; empty if they are more than that, or not all known. */
  Optional<List<LeaseLife>> since(long index, int most) {
    if (index < since) {
      return Optional.empty();
    }
    List<LeaseLife> ended = new ArrayList<>(0);
    for (End end = last; end != null && end.index > index; end = end.before) {
      if (ended.size() == most) {
        return Optional.empty();
      }
      ended.add(end.lease);
    }
    return Optional.of(ended);
  }
}
