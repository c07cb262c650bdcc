package io.holdfast.sharding;

import io.holdfast.id.ShardId;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The deadline keepers of one member of the cluster, for those who renew. */
public interface LocalKeepers {

  /** The keepers of a member that never owns shards. */
  LocalKeepers NONE =
      new LocalKeepers() {
        @Override
        public Optional<Renewal.Answer> renew(ShardId shard, Renewal renewal, Duration age) {
          return Optional.empty();
        }

        @Override
        public CompletionStage<List<RenewalMessage.Item>> confirmedDead(
            List<RenewalMessage.Item> items) {
          return CompletableFuture.failedFuture(
              new IllegalStateException("this member has no journal"));
        }
      };

  /**
   * Renews a deadline.
   *
   * @param age of the keepalive: it counts from when it came, however late it is judged
   * @return empty if this member cannot decide now, or does not have the shard
   */
  Optional<Renewal.Answer> renew(ShardId shard, Renewal renewal, Duration age);

  /**
   * Completes with those of the items whose target does not exist, as the log confirms. Fails if
   * the log cannot be asked.
   */
  CompletionStage<List<RenewalMessage.Item>> confirmedDead(List<RenewalMessage.Item> items);
}
