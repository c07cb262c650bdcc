package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The effects of appends beyond their verdicts, in the order in which they happened. */
public final class Effects {

  private final List<Change> changes = new ArrayList<>();
  private final List<LeaseEnd> leaseEnds = new ArrayList<>();

  /** The public changes. Those of one revision follow each other, in the order of their ids. */
  public List<Change> changes() {
    return List.copyOf(changes);
  }

  public List<LeaseEnd> leaseEnds() {
    return List.copyOf(leaseEnds);
  }

  /** Removes all collected effects. */
  public void clear() {
    changes.clear();
    leaseEnds.clear();
  }

  void changed(Change change) {
    changes.add(change);
  }

  /** Adds the changes of one revision. */
  void changed(List<Change> together) {
    together.stream()
        .sorted(Comparator.comparing(change -> Bytes.of(change.id().value())))
        .forEach(changes::add);
  }

  void leaseEnded(LeaseEnd end) {
    leaseEnds.add(end);
  }
}
