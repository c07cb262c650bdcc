package io.holdfast.raft.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configurations that stand in the log, oldest first.
 *
 * <p>The last one is in force whether it is committed or not; when its entry is overwritten, the
 * one before is in force again.
 */
final class ConfigurationHistory {

  private record Row(long index, Configuration configuration) {}

  private final List<Row> rows = new ArrayList<>();
  private @Nullable Formation formation;

  /** Begins anew with what a snapshot says. */
  void reset(SnapshotMeta snapshot) {
    rows.clear();
    rows.add(new Row(snapshot.configurationIndex(), snapshot.configuration()));
    formation = snapshot.formation();
  }

  void appended(Entry entry) {
    switch (entry.kind()) {
      case FORMATION -> {
        Formation founding = MemberCodec.formation(entry.payload());
        formation = founding;
        rows.add(new Row(entry.index(), founding.configuration()));
      }
      case CONFIGURATION ->
          rows.add(new Row(entry.index(), MemberCodec.configuration(entry.payload())));
      default -> {}
    }
  }

  /** Forgets the configurations after {@code index}. */
  void truncatedAfter(long index) {
    while (!rows.isEmpty() && rows.get(rows.size() - 1).index > index) {
      rows.remove(rows.size() - 1);
    }
    if (rows.isEmpty()) {
      formation = null;
    }
  }

  /** Forgets the configurations that no snapshot from {@code index} on can name. */
  void compactedTo(long index) {
    while (rows.size() > 1 && rows.get(1).index <= index) {
      rows.remove(0);
    }
  }

  Configuration current() {
    return rows.isEmpty() ? Configuration.NONE : rows.get(rows.size() - 1).configuration;
  }

  long currentIndex() {
    return rows.isEmpty() ? 0 : rows.get(rows.size() - 1).index;
  }

  /** The configuration in force at {@code index}. */
  Configuration at(long index) {
    int row = rowAt(index);
    return row < 0 ? Configuration.NONE : rows.get(row).configuration;
  }

  long indexAt(long index) {
    int row = rowAt(index);
    return row < 0 ? 0 : rows.get(row).index;
  }

  @Nullable Formation formation() {
    return formation;
  }

  private int rowAt(long index) {
    int row = rows.size() - 1;
    while (row >= 0 && rows.get(row).index > index) {
      row--;
    }
    return row;
  }
}
