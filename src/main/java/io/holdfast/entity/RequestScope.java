package io.holdfast.entity;

import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * The scope of the requests of one lock or lease in the journal.
 *
 * @param prefix a hash of the key, to tell equal names of requests to different keys apart
 */
record RequestScope(ShardId shard, PersistenceId persistenceId, String prefix) {

  private static final int PREFIX_BYTES = 16;

  static RequestScope of(ShardId shard, PersistenceId persistenceId) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(persistenceId.value().getBytes(StandardCharsets.UTF_8));
      String prefix =
          Base64.getEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, PREFIX_BYTES));
      return new RequestScope(shard, persistenceId, prefix);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }
}
