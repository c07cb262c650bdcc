package io.holdfast.journal;

import akka.persistence.SnapshotMetadata;
import scala.concurrent.Future;

/** Lets actors that know of no epoch save under the first one of their shard. */
public final class FencingSnapshots extends HoldfastSnapshots {

  @Override
  public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object snapshot) {
    return super.doSaveAsync(
        metadata, new FencedSnapshot(FencingAdapter.SHARD, FencingAdapter.EPOCH, snapshot));
  }
}
