package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The events of an id after its state, as bytes: each with its length, in chunks. An event is added
 * to the last chunk, or begins another one. So adding an event copies little, however many there
 * are. Immutable.
 */
final class EventChunks {

  static final EventChunks EMPTY = new EventChunks(0, new byte[0][]);

  /** The longest chunk to which an event is added. */
  private static final int CHUNK = 4096;

  private final int count;
  private final byte[][] chunks;

  private EventChunks(int count, byte[][] chunks) {
    this.count = count;
    this.chunks = chunks;
  }

  /** The events in these chunks. Nobody may write to them any more. */
  static EventChunks of(int count, byte[]... chunks) {
    return count == 0 ? EMPTY : new EventChunks(count, chunks);
  }

  /** The number of events. */
  int count() {
    return count;
  }

  /** The length of all chunks. */
  long bytes() {
    long bytes = 0;
    for (byte[] chunk : chunks) {
      bytes += chunk.length;
    }
    return bytes;
  }

  /** The chunks. Nobody may write to them. */
  byte[][] chunks() {
    return chunks;
  }

  EventChunks with(Bytes event) {
    int last = chunks.length - 1;
    int more = Integer.BYTES + event.size();
    boolean fits = last >= 0 && chunks[last].length + more <= CHUNK;
    byte[] before = fits ? chunks[last] : new byte[0];
    byte[][] all = Arrays.copyOf(chunks, fits ? chunks.length : chunks.length + 1);
    all[all.length - 1] =
        ByteBuffer.allocate(before.length + more)
            .put(before)
            .putInt(event.size())
            .put(event.array())
            .array();
    return new EventChunks(count + 1, all);
  }

  /** The events without the first ones. */
  List<Bytes> after(int first) {
    List<Bytes> events = new ArrayList<>(Math.max(0, count - first));
    int place = 0;
    for (byte[] chunk : chunks) {
      ByteBuffer in = ByteBuffer.wrap(chunk);
      while (in.hasRemaining()) {
        int length = in.getInt();
        if (place++ < first) {
          in.position(in.position() + length);
        } else {
          events.add(HistoryBytes.take(in, length));
        }
      }
    }
    return events;
  }
}
