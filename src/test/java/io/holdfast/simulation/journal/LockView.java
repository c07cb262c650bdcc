package io.holdfast.simulation.journal;

import io.holdfast.bytes.Bytes;
import java.nio.ByteBuffer;

/**
 * The state that the history of one lock leads to.
 *
 * @param count the number of its changes
 * @param digest over all of them, in order
 * @param token of the grant; 0 if the lock is free
 */
record LockView(long count, long digest, int client, long token, int ttlMs) {

  static final LockView NEW = new LockView(0, 0, 0, 0, 0);

  boolean isHeld() {
    return token != 0;
  }

  LockView after(Change change) {
    long next = (digest ^ change.id()) * 0x9E3779B97F4A7C15L + 1;
    return change.kind() == Change.Kind.GRANTED
        ? new LockView(count + 1, next, change.client(), change.token(), change.ttlMs())
        : new LockView(count + 1, next, 0, 0, 0);
  }

  Bytes toBytes() {
    ByteBuffer out = ByteBuffer.allocate(3 * Long.BYTES + 2 * Integer.BYTES);
    out.putLong(count).putLong(digest).putInt(client).putLong(token).putInt(ttlMs);
    return Bytes.of(out.array());
  }

  static LockView of(Bytes state) {
    ByteBuffer in = ByteBuffer.wrap(state.array());
    return new LockView(in.getLong(), in.getLong(), in.getInt(), in.getLong(), in.getInt());
  }
}
