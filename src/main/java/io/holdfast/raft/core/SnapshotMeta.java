package io.holdfast.raft.core;

/**
 * The description of a snapshot: the state after {@code index}, and what of the log it stands for.
 *
 * <p>Two snapshots of the same index from different members may differ in their bytes; {@code size}
 * and {@code fingerprint} tell them apart, so that a transfer is only ever resumed on equal bytes.
 *
 * @param configurationIndex the index of {@code configuration} in the log
 */
public record SnapshotMeta(
    long index,
    long term,
    Formation formation,
    Configuration configuration,
    long configurationIndex,
    long size,
    long fingerprint) {

  public SnapshotMeta {
    if (index <= 0 || term <= 0 || size < 0 || configurationIndex > index) {
      throw new IllegalArgumentException("snapshot [" + term + "/" + index + "] of [" + size + "]");
    }
  }

  /** The same description for the bytes that were written. */
  public SnapshotMeta written(long writtenSize, long writtenFingerprint) {
    return new SnapshotMeta(
        index, term, formation, configuration, configurationIndex, writtenSize, writtenFingerprint);
  }

  @Override
  public String toString() {
    return "snapshot " + term + "/" + index + " of " + size + " bytes";
  }
}
