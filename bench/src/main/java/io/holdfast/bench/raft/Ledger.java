package io.holdfast.bench.raft;

import io.holdfast.raft.ConsensusLog.SnapshotSource;
import io.holdfast.raft.ConsensusLog.StateMachine;
import io.holdfast.raft.core.Leadership;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A state machine that keeps the first eight bytes of each entry, its number, and how many bytes
 * came with it; so it can say afterwards which numbers are missing and which came twice. A snapshot
 * carries as many bytes as the entries had.
 */
final class Ledger implements StateMachine {

  private final Consumer<Leadership> told;
  private long[] numbers = new long[1 << 16];
  private int count;
  private int entryBytes = Long.BYTES;

  /**
   * @param told gets word of each change of leadership
   */
  Ledger(Consumer<Leadership> told) {
    this.told = told;
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    told.accept(leadership);
  }

  @Override
  public synchronized void apply(long index, long term, byte[] payload) {
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    entryBytes = payload.length;
    numbers[count++] = ByteBuffer.wrap(payload).getLong();
  }

  @Override
  public synchronized SnapshotSource snapshot() {
    long[] held = numbers;
    int heldCount = count;
    int bytes = entryBytes;
    return new SnapshotSource() {
      @Override
      public void writeTo(java.io.OutputStream out) throws IOException {
        DataOutputStream data = new DataOutputStream(out);
        data.writeInt(heldCount);
        data.writeInt(bytes);
        byte[] rest = new byte[bytes - Long.BYTES];
        for (int i = 0; i < heldCount; i++) {
          data.writeLong(held[i]);
          data.write(rest);
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized void restore(long index, InputStream bytes) throws IOException {
    DataInputStream data = new DataInputStream(new java.io.BufferedInputStream(bytes, 1 << 16));
    count = data.readInt();
    entryBytes = data.readInt();
    numbers = new long[Math.max(1 << 16, Integer.highestOneBit(Math.max(1, count)) << 1)];
    for (int i = 0; i < count; i++) {
      numbers[i] = data.readLong();
      data.skipNBytes(entryBytes - Long.BYTES);
    }
  }

  synchronized int count() {
    return count;
  }

  /** The applied numbers that are not 0, sorted. */
  synchronized long[] sorted() {
    long[] sorted = Arrays.stream(numbers, 0, count).filter(number -> number != 0).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
