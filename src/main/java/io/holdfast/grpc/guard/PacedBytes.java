package io.holdfast.grpc.guard;

import akka.util.ByteString;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a client on their way to the server. Bytes that begin calls pass in slices, each in
 * its turn. If a turn has not come, the calls are held, and open streams go on.
 *
 * <p>For the one actor that runs the connection.
 */
final class PacedBytes {

  private static final ByteString NOTHING = ByteString.emptyByteString();

  private final HeldCalls held;
  private ByteString head = NOTHING; // of a frame, incomplete
  private ByteString ready = NOTHING; // passes next
  private ByteString chunk = NOTHING; // begins calls, and passes in slices
  private int chunkFrame;
  private int chunkPassed;
  private int credit; // bytes of held calls whose turns have come

  PacedBytes(HeldCalls held) {
    this.held = held;
  }

  /**
   * Adds bytes that have come, when there are none to pass.
   *
   * @param frame the position of the first frame that begins in them
   * @param ofHead the bytes at their end of an incomplete head, some of which may have come before
   * @param calls true if they begin calls
   */
  void add(ByteString bytes, int frame, int ofHead, boolean calls) {
    ByteString more = withoutHead(head.isEmpty() ? bytes : head.concat(bytes), ofHead);
    if (!held.isEmpty()) {
      ready = held.sort(more);
    } else if (calls) {
      chunk = more;
      chunkFrame = frame;
      chunkPassed = 0;
    } else {
      ready = more;
    }
  }

  private ByteString withoutHead(ByteString bytes, int ofHead) {
    if (ofHead == 0) {
      head = NOTHING;
      return bytes;
    }
    head = bytes.takeRight(ofHead).compact();
    return bytes.dropRight(ofHead);
  }

  /**
   * Returns the bytes that pass next, or none.
   *
   * @param reserveTurn reserves the turn of a slice of calls; true if the slice may pass now
   */
  ByteString next(BooleanSupplier reserveTurn) {
    if (!chunk.isEmpty()) {
      ready = ofChunk(reserveTurn.getAsBoolean());
    }
    if (ready.isEmpty() && held.hasNext()) {
      while (credit < held.nextSize() && reserveTurn.getAsBoolean()) {
        credit += CallPace.SLICE;
      }
      ready = held.take(credit);
      credit = held.isEmpty() ? 0 : credit - ready.size();
    }
    ByteString next = ready;
    ready = NOTHING;
    return next;
  }

  private ByteString ofChunk(boolean isTurn) {
    ByteString whole = chunk;
    if (!isTurn) {
      chunk = NOTHING;
      return held.start(whole, chunkFrame, chunkPassed);
    }
    ByteString slice = whole.slice(chunkPassed, chunkPassed + CallPace.SLICE);
    chunkPassed += slice.size();
    if (chunkPassed == whole.size()) {
      chunk = NOTHING;
    }
    return slice;
  }

  /** Notes that the turn of a slice has come. */
  void turn() {
    credit = held.isEmpty() ? 0 : credit + CallPace.SLICE;
  }

  /** Counts the held calls; returns the limit that they exceed, or null. */
  Quota.@Nullable Full count() {
    return held.count();
  }

  /** True if all bytes have passed. */
  boolean isEmpty() {
    return ready.isEmpty() && chunk.isEmpty() && held.isEmpty();
  }

  /** True if calls wait for the server or for their turns, and not for the client. */
  boolean areWaiting() {
    return !chunk.isEmpty() || held.hasNext();
  }

  /** True if more bytes may come. */
  boolean mayRead() {
    return held.mayRead();
  }

  /** Drops all bytes: the connection has ended. */
  void end() {
    ready = NOTHING;
    chunk = NOTHING;
    held.end();
  }
}
