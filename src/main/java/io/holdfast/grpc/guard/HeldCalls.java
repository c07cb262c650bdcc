package io.holdfast.grpc.guard;

import akka.util.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The new calls of one connection that wait for their turns while the node is late. It sorts the
 * client's frames: those of open streams and of the connection pass, and may overtake new calls.
 *
 * <p>The frames of one stream stay in order. So do all header blocks, since each of them changes
 * the table that decodes the next, and streams must open in the order of their ids: a block waits
 * behind all others, also one that only ends an open stream, and what follows on its stream waits
 * with it. A GOAWAY waits for all calls before it. SETTINGS pass: those of a client say how the
 * server encodes.
 *
 * <p>No frame passes within another, or within a header block. So a frame passes once all of it has
 * come. If half of a frame has passed before, the rest of it passes next.
 *
 * <p>For the one actor that runs the connection.
 */
final class HeldCalls {

  /** The bytes of held calls from which on the connection is not read. */
  static final int PAUSE_READING_AT = 384 << 10;

  /** The memory overhead of one call, in bytes. */
  static final int OVERHEAD_OF_CALL = 256;

  private final Quota quota;
  private final ClientConnection caller;
  private final Deque<HeldCall> calls = new ArrayDeque<>(0);
  private final Map<Integer, HeldCall> latest = new HashMap<>(0); // of each stream
  private @Nullable HeldCall to; // has the frame that arrives; null if it passes
  private int left; // bytes of the frame that arrives which are missing
  private boolean begun; // to pass: half of the frame that arrives may have passed
  private ByteArrayOutputStream incomplete = new ByteArrayOutputStream(0); // frame, to pass whole
  private boolean inBlock;
  private long size;
  private long counted;

  /**
   * Starts without calls.
   *
   * @param quota the quota of bytes of held calls
   */
  HeldCalls(Quota quota, ClientConnection caller) {
    this.quota = quota;
    this.caller = caller;
  }

  /** A header block, and the frames of its stream behind it. */
  private static final class HeldCall {
    private final int stream;
    private final ByteArrayOutputStream frames = new ByteArrayOutputStream();

    HeldCall(int stream) {
      this.stream = stream;
    }
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  /**
   * Begins to sort within a chunk of bytes, when it holds no call.
   *
   * @param frame the position of the first frame that begins in the chunk
   * @param passed the bytes of the chunk that have passed; a frame that begins in them passes
   * @return the bytes that pass now
   */
  ByteString start(ByteString chunk, int frame, int passed) {
    to = null;
    left = frame;
    begun = true;
    inBlock = false; // if it is, a CONTINUATION comes next, and passes
    return sort(chunk, passed).drop(passed);
  }

  /** Takes the next chunk, which does not end within the head of a frame; returns what passes. */
  ByteString sort(ByteString chunk) {
    return sort(chunk, /* passed= */ 0);
  }

  private ByteString sort(ByteString chunk, int passed) {
    byte[] bytes = chunk.toArrayUnsafe();
    int before = left <= bytes.length ? incomplete.size() : 0;
    ByteBuffer passing = ByteBuffer.allocate(before + bytes.length);
    int part;
    for (int at = 0; at < bytes.length; at += part) {
      if (left == 0) {
        begin(bytes, at, at < passed);
      }
      part = Math.min(left, bytes.length - at);
      left -= part;
      if (to != null) {
        to.frames.write(bytes, at, part);
        size += part;
      } else if (left > 0 && !begun) {
        incomplete.write(bytes, at, part);
      } else {
        passing.put(takeIncomplete()).put(bytes, at, part);
      }
    }
    if (calls.isEmpty()) {
      passing.put(takeIncomplete());
    }
    return ByteString.fromArrayUnsafe(passing.array(), 0, passing.position());
  }

  private byte[] takeIncomplete() {
    byte[] taken = incomplete.toByteArray();
    if (taken.length > 0) {
      begun = true;
      incomplete = new ByteArrayOutputStream(0);
    }
    return taken;
  }

  private void begin(byte[] bytes, int at, boolean passes) {
    ByteBuffer head = ByteBuffer.wrap(bytes, at, FrameScanner.HEAD);
    int lengthAndType = head.getInt();
    int flags = head.get();
    int stream = head.getInt() & 0x7FFF_FFFF;
    int type = lengthAndType & 0xFF;
    left = FrameScanner.HEAD + (lengthAndType >>> 8);
    to = passes ? null : place(type, stream);
    begun = passes;
    if (type == FrameType.HEADERS || type == FrameType.CONTINUATION) {
      inBlock = (flags & FrameLimits.END_HEADERS) == 0;
    }
  }

  private @Nullable HeldCall place(int type, int stream) {
    return switch (type) {
      case FrameType.CONTINUATION -> to;
      case FrameType.HEADERS -> {
        HeldCall call = hold(stream);
        latest.put(stream, call);
        yield call;
      }
      case FrameType.GOAWAY -> calls.isEmpty() ? null : hold(stream);
      default -> latest.get(stream);
    };
  }

  private HeldCall hold(int stream) {
    HeldCall call = new HeldCall(stream);
    calls.add(call);
    size += OVERHEAD_OF_CALL;
    return call;
  }

  /** Counts what it holds; returns the limit that this exceeds, or null. */
  Quota.@Nullable Full count() {
    Quota.Full full = size == counted ? null : quota.take(caller, size - counted);
    if (full == null) {
      counted = size;
    }
    return full;
  }

  /** True if a call is held, and nothing else must pass before it. */
  boolean hasNext() {
    boolean isWithinFrame = left > 0 && begun;
    return !calls.isEmpty() && (to != null || !(isWithinFrame || inBlock));
  }

  /** Returns the size of the first call in bytes. */
  int nextSize() {
    return calls.element().frames.size();
  }

  /**
   * Returns the first calls, as many as have at most so many bytes together; behind the last one
   * what has come of a frame that waits for its rest.
   */
  ByteString take(int most) {
    ByteString taken = ByteString.emptyByteString();
    long before = size;
    while (hasNext() && taken.size() + nextSize() <= most) {
      HeldCall call = calls.remove();
      latest.remove(call.stream, call);
      if (to == call) {
        to = null;
        begun = true;
      }
      size -= call.frames.size() + OVERHEAD_OF_CALL;
      taken = taken.concat(ByteString.fromArrayUnsafe(call.frames.toByteArray()));
    }
    quota.give(caller, before - size);
    counted -= before - size;
    if (calls.isEmpty()) {
      taken = taken.concat(ByteString.fromArrayUnsafe(takeIncomplete()));
    }
    return taken.compact();
  }

  /** True if the connection may be read: few bytes are held, or the rest of a frame must come. */
  boolean mayRead() {
    return !hasNext()
        || (size < PAUSE_READING_AT && quota.full(caller, 0, /* reserve= */ 0) == null);
  }

  /** Drops all calls: the connection has ended. */
  void end() {
    calls.clear();
    latest.clear();
    incomplete.reset();
    quota.give(caller, counted);
    size = 0;
    counted = 0;
  }
}
