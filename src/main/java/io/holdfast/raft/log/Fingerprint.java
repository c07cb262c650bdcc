package io.holdfast.raft.log;

import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** Two checksums over all bytes of a snapshot, which tell it from others. */
final class Fingerprint {

  private final CRC32C high = new CRC32C();
  private final CRC32 low = new CRC32();

  void update(byte[] bytes, int offset, int length) {
    high.update(bytes, offset, length);
    low.update(bytes, offset, length);
  }

  long value() {
    return high.getValue() << 32 | low.getValue();
  }
}
