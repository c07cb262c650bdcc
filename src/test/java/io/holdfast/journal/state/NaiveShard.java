package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseLife;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** One shard of the {@link NaiveJournal}: its ids, its writer and its requests. */
final class NaiveShard {

  final TreeMap<String, NaiveId> ids = new TreeMap<>();
  Epoch epoch = Epoch.NONE;
  final TreeMap<Long, Verdict> verdicts = new TreeMap<>();
  final Map<LeaseLife, TreeMap<Long, Bytes>> outcomes = new HashMap<>();
  final Map<LeaseLife, Long> floors = new HashMap<>();
  final TreeMap<Long, Map.Entry<RequestKey.Named, Bytes>> window = new TreeMap<>();
  long lastOrder;

  NaiveShard copy() {
    NaiveShard copy = new NaiveShard();
    ids.forEach((id, it) -> copy.ids.put(id, it.copy()));
    outcomes.forEach((client, of) -> copy.outcomes.put(client, new TreeMap<>(of)));
    copy.window.putAll(window);
    copy.lastOrder = lastOrder;
    return copy;
  }
}
