package io.holdfast.raft.node;

import io.holdfast.raft.core.Settings;
import io.holdfast.raft.log.LogSettings;

/**
 * The limits and delays of one member's shell.
 *
 * @param core those of the core
 * @param log those of the log on disk
 * @param maxQueuedRequests the largest number of calls that wait for the member's thread
 * @param snapshotAfterBytes the bytes to apply after a snapshot before the next one is taken; more
 *     if the last one was larger
 * @param foundingEveryMs the interval at which a member without a cluster asks the others
 * @param toleratedSyncMs operators are told of a disk whose syncs usually take longer: the rooms
 *     above the log do not tolerate it
 */
public record NodeSettings(
    Settings core,
    LogSettings log,
    int maxQueuedRequests,
    long snapshotAfterBytes,
    int foundingEveryMs,
    int toleratedSyncMs) {

  public static final NodeSettings DEFAULT =
      new NodeSettings(
          Settings.LOCAL,
          LogSettings.DEFAULT,
          65_536, // maxQueuedRequests
          64L << 20, // snapshotAfterBytes
          50, // foundingEveryMs
          125); // toleratedSyncMs, a quarter of the election timeout

  public NodeSettings {
    if (maxQueuedRequests < 1 || snapshotAfterBytes < 1 || foundingEveryMs < 1) {
      throw new IllegalArgumentException(
          "queued requests [%d], snapshot after [%d] bytes, founding every [%d] ms"
              .formatted(maxQueuedRequests, snapshotAfterBytes, foundingEveryMs));
    }
    if (toleratedSyncMs < 1) {
      throw new IllegalArgumentException(
          "tolerated sync [" + toleratedSyncMs + " ms] is below the minimum [1 ms]");
    }
    if (core.maxProposalBytes() > log.maxPayloadBytes()) {
      throw new IllegalArgumentException(
          "proposals of [%d] bytes do not fit a segment of [%d], whose maximum is [%d]"
              .formatted(core.maxProposalBytes(), log.segmentBytes(), log.maxPayloadBytes()));
    }
  }
}
