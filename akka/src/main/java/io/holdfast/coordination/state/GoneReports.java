package io.holdfast.coordination.state;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The reports that a session's process seems gone. A renewal of the session removes them. */
final class GoneReports {

  private final NavigableMap<SessionId, NavigableSet<SessionId>> reporters = new TreeMap<>();

  void add(SessionId gone, SessionId by) {
    reporters.computeIfAbsent(gone, none -> new TreeSet<>()).add(by);
  }

  /** The session shows life. */
  void takeBack(SessionId gone) {
    reporters.remove(gone);
  }

  /** The session has ended: nothing is said of it any more, nor by it. */
  void ended(SessionId session) {
    reporters.remove(session);
    reporters.values().forEach(by -> by.remove(session));
    reporters.values().removeIf(NavigableSet::isEmpty);
  }

  /** All nodes that some member reports so. */
  Set<SessionId> all() {
    return new TreeSet<>(reporters.keySet());
  }

  /** The sessions that report this one gone. */
  Set<SessionId> by(SessionId gone) {
    NavigableSet<SessionId> by = reporters.get(gone);
    return by == null ? Set.of() : Set.copyOf(by);
  }

  void writeTo(BytesOutput out) {
    out.putInt(reporters.size());
    reporters.forEach(
        (gone, by) -> {
          out.putLong(gone.value()).putInt(by.size());
          by.forEach(reporter -> out.putLong(reporter.value()));
        });
  }

  static GoneReports readFrom(BytesInput in) {
    GoneReports reports = new GoneReports();
    for (int i = in.getCount(CoordinationBounds.MAX_SESSIONS); i > 0; i--) {
      SessionId gone = new SessionId(in.getLong());
      for (int j = in.getCount(CoordinationBounds.MAX_SESSIONS); j > 0; j--) {
        reports.add(gone, new SessionId(in.getLong()));
      }
    }
    return reports;
  }
}
