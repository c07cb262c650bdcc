package io.holdfast.coordination.state;

import java.util.Optional;

/**
 * The terms on which keys are spread over shards. They are founded with the cluster: a node with
 * others would look for a key in another shard, and grant what is held there.
 *
 * @param shards the number of shards
 * @param keyHash the function of a key's bytes that finds its shard
 */
public record ShardTerms(int shards, int keyHash) {

  /** CRC-32C, modulo the number of shards. */
  public static final int CRC_32C = 1;

  /** This many shards, with the hash that this release has. */
  public static ShardTerms of(int shards) {
    return new ShardTerms(shards, CRC_32C);
  }

  /** The difference from the terms of the founding, in words. */
  public Optional<String> differenceFrom(ShardTerms founded) {
    if (shards != founded.shards) {
      return Optional.of(
          "the cluster was founded with [%d] shards, not with [%d]"
              .formatted(founded.shards, shards));
    } else if (keyHash != founded.keyHash) {
      return Optional.of(
          "the cluster was founded with key hash [%d], not with [%d]"
              .formatted(founded.keyHash, keyHash));
    }
    return Optional.empty();
  }
}
