package io.holdfast.grpc.watch;

import com.google.protobuf.ByteString;
import io.holdfast.id.Revision;
import io.holdfast.watch.Position;
import io.holdfast.watch.Selector;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The resume tokens of one selector in one cluster. Every node can read them, and recognizes tokens
 * of other selectors and clusters, and invalid bytes.
 *
 * <p>A token is a version, a fingerprint of cluster and selector, the position, and a checksum that
 * detects damage. A client can forge a token, which harms only itself.
 */
final class WatchToken {

  private static final byte VERSION = 1;
  private static final int FINGERPRINT_BYTES = 16;
  private static final int CONTENT_BYTES = 1 + FINGERPRINT_BYTES + Long.BYTES + Integer.BYTES;
  private static final int BYTES = CONTENT_BYTES + Integer.BYTES;

  private final byte[] fingerprint;

  WatchToken(long clusterId, Selector selector) {
    MessageDigest digest = sha256();
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, clusterId));
    digest.update((byte) (selector.prefix() ? 1 : 0));
    digest.update(selector.text().getBytes(StandardCharsets.UTF_8));
    fingerprint = Arrays.copyOf(digest.digest(), FINGERPRINT_BYTES);
  }

  ByteString write(Position position) {
    ByteBuffer token =
        ByteBuffer.allocate(BYTES)
            .put(VERSION)
            .put(fingerprint)
            .putLong(position.revision().value())
            .putInt(position.ofNext());
    token.putInt(checksum(token.array()));
    return ByteString.copyFrom(token.flip());
  }

  /** Reads a token; empty if it is not a token of this selector and cluster. */
  Optional<Position> read(ByteString bytes) {
    if (bytes.size() != BYTES) {
      return Optional.empty();
    }
    byte[] array = bytes.toByteArray();
    ByteBuffer token = ByteBuffer.wrap(array);
    byte[] from = new byte[FINGERPRINT_BYTES];
    byte version = token.get();
    token.get(from);
    long revision = token.getLong();
    int ofNext = token.getInt();
    boolean whole = version == VERSION && token.getInt() == checksum(array);
    return whole
            && Arrays.equals(from, fingerprint)
            && revision >= 0
            && revision < Long.MAX_VALUE
            && ofNext >= 0
        ? Optional.of(new Position(new Revision(revision), ofNext))
        : Optional.empty();
  }

  private static int checksum(byte[] token) {
    CRC32C checksum = new CRC32C();
    checksum.update(token, 0, CONTENT_BYTES);
    return (int) checksum.getValue();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
