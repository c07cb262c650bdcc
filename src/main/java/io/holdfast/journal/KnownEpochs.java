package io.holdfast.journal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The epochs under which ids were last written here. What Akka asks for without an epoch, to delete
 * something, is done under this one: so only who has written may delete.
 */
final class KnownEpochs {

  /** Of so many ids the epoch is known; of more the first go. */
  private static final int MAX_IDS = 10_000;

  private final Map<String, Long> epochs =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MAX_IDS;
        }
      };

  void wrote(String persistenceId, long epoch) {
    epochs.put(persistenceId, epoch);
  }

  OptionalLong of(String persistenceId) {
    Long epoch = epochs.get(persistenceId);
    return epoch == null ? OptionalLong.empty() : OptionalLong.of(epoch);
  }

  static RuntimeException unknown(String persistenceId) {
    return new UnsupportedOperationException(
        "only who has written to [" + persistenceId + "] may delete from it");
  }
}
