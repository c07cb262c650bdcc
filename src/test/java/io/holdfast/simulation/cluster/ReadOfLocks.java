package io.holdfast.simulation.cluster;

import io.holdfast.grpc.session.SimulatedSessions;
import io.holdfast.v1.Header;
import io.holdfast.v1.Holder;
import io.holdfast.v1.LockRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One linearizable read at a node, by the calls that it has for that. */
final class ReadOfLocks {

  private final ClusterLocks locks;
  private final SimulatedSessions at;
  private final long askedAfter;

  ReadOfLocks(ClusterLocks locks, SimulatedSessions at) {
    this.locks = locks;
    this.at = at;
    askedAfter = locks.world().chronicle().journal().revision().value();
  }

  /**
   * Reads this lock.
   *
   * @param all true if all others are read with it
   */
  void begin(String key, boolean all) {
    if (all) {
      then(
          at.list(),
          read -> {
            Map<String, List<Long>> found = new HashMap<>();
            read.getEntriesList()
                .forEach(each -> found.put(each.getLock().getKey(), tokens(each.getLock())));
            for (String each : ClusterLocks.KEYS) {
              seen(each, read.getHeader(), found.getOrDefault(each, List.of()));
            }
          });
    } else {
      then(at.get(key), read -> seen(key, read.getHeader(), tokens(read.getLock())));
    }
  }

  private <A> void then(CompletionStage<A> reading, Consumer<A> told) {
    var unused = reading.thenAccept(read -> locks.world().guard(() -> told.accept(read)));
  }

  private static List<Long> tokens(LockRecord lock) {
    return lock.getHoldersList().stream().map(Holder::getFencingToken).toList();
  }

  private void seen(String key, Header header, List<Long> tokens) {
    locks.count("read");
    locks.tell(each -> each.read(key, askedAfter, header.getRevision(), tokens));
  }
}
