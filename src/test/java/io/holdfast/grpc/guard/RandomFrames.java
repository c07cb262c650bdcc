package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.util.ByteString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random mix of the frames of a client, each with its number, and what must hold of its order.
 */
final class RandomFrames {

  private static final int PRIORITY = 2;
  private static final int UNKNOWN = 77;
  private static final int END_HEADERS = 4;

  /** A frame; its payload begins with its number. */
  record Frame(int number, int type, int stream, ByteString bytes) {

    boolean isOfBlock() {
      return type == FrameType.HEADERS || type == FrameType.CONTINUATION;
    }

    boolean staysInOrder() {
      return isOfBlock() || type == FrameType.GOAWAY;
    }

    private static Frame of(ByteString bytes) {
      ByteBuffer frame = bytes.asByteBuffer();
      return new Frame(frame.getInt(9), frame.get(3), frame.getInt(5), bytes);
    }
  }

  private final Random random;
  private final List<Frame> frames = new ArrayList<>();
  private final List<Integer> streams = new ArrayList<>();

  /** Makes frames; the first open a stream. */
  RandomFrames(Random random, int count) {
    this.random = random;
    while (frames.size() < count) {
      add();
    }
  }

  List<Frame> all() {
    return frames;
  }

  ByteString bytes() {
    return ByteString.fromArray(
        frames.stream()
            .map(Frame::bytes)
            .reduce(ByteString.emptyByteString(), ByteString::concat)
            .toArray());
  }

  private void add() {
    switch (frames.isEmpty() ? 0 : random.nextInt(12)) {
      case 0, 1, 2 -> {
        streams.add(2 * streams.size() + 1);
        block(streams.get(streams.size() - 1));
      }
      case 3 -> block(known()); // trailers
      case 4 -> add(FrameType.RST_STREAM, 0, known(), 4);
      case 5 -> add(FrameType.WINDOW_UPDATE, 0, random.nextBoolean() ? 0 : known(), 4);
      case 6 -> add(FrameType.PING, 0, 0, 8);
      case 7 -> add(FrameType.SETTINGS, 0, 0, 6);
      case 8 -> {
        int stream = random.nextBoolean() ? known() : known() + 1_000;
        add(random.nextBoolean() ? PRIORITY : UNKNOWN, 0, stream, 5);
      }
      case 9 -> add(FrameType.GOAWAY, 0, 0, 8);
      default -> add(FrameType.DATA, 0, known(), size());
    }
  }

  private void block(int stream) {
    int more = random.nextInt(10) < 7 ? 0 : random.nextInt(3);
    add(FrameType.HEADERS, more == 0 ? END_HEADERS : 0, stream, 4 + random.nextInt(200));
    for (int i = 1; i <= more; i++) {
      add(FrameType.CONTINUATION, i == more ? END_HEADERS : 0, stream, 4 + random.nextInt(50));
    }
  }

  private int known() {
    int latest = Math.min(streams.size(), 8);
    return random.nextInt(4) == 0
        ? streams.get(0)
        : streams.get(streams.size() - 1 - random.nextInt(latest));
  }

  private int size() {
    return random.nextInt(20) == 0 ? FrameLimits.MAX_FRAME : 5 + random.nextInt(600);
  }

  private void add(int type, int flags, int stream, int length) {
    byte[] payload = new byte[length];
    random.nextBytes(payload);
    ByteBuffer frame = ByteBuffer.allocate(9 + length);
    frame.putInt(length << 8 | type).put((byte) flags).putInt(stream).put(payload);
    frame.putInt(9, frames.size());
    frames.add(Frame.of(ByteString.fromArray(frame.array())));
  }

  /** Returns the whole frames of these bytes. */
  static List<Frame> read(ByteString bytes) {
    List<Frame> read = new ArrayList<>();
    ByteBuffer all = bytes.asByteBuffer();
    for (int at = 0, size; bytes.size() - at >= 9; at += size) {
      size = 9 + (all.getInt(at) >>> 8);
      if (bytes.size() - at < size) {
        break;
      }
      read.add(Frame.of(bytes.slice(at, at + size)));
    }
    return read;
  }

  /** Checks that all frames have arrived, in an order that a server accepts. */
  void assertArrived(ByteString arrived) {
    List<Frame> others = read(arrived);
    assertEquals(frames.size(), others.size(), "frames");
    assertEquals(arrived.size(), others.stream().mapToInt(one -> one.bytes.size()).sum());
    Map<Integer, Integer> lastOfStream = new HashMap<>();
    int lastInOrder = -1;
    for (int i = 0; i < others.size(); i++) {
      Frame frame = others.get(i);
      assertEquals(frames.get(frame.number), frame);
      if (frame.staysInOrder()) {
        assertTrue(lastInOrder < frame.number, "header blocks and GOAWAY stay in order");
        lastInOrder = frame.number;
      }
      if (frame.type == FrameType.CONTINUATION) {
        assertEquals(frame.number - 1, others.get(i - 1).number, "a block is in one piece");
      }
      if (frame.type != FrameType.GOAWAY) {
        Integer before = lastOfStream.put(frame.stream, frame.number);
        assertTrue(before == null || before < frame.number, "a stream stays in order");
      }
    }
  }

  /** Checks that of these frames, which have come, those wait that must, and no others. */
  static void assertNoneWaitsInVain(List<Frame> come, ByteString passed) {
    Map<Integer, Frame> there = new HashMap<>();
    read(passed).forEach(frame -> there.put(frame.number, frame));
    Map<Integer, Frame> waitOfStream = new HashMap<>();
    for (Frame frame : come) {
      if (!there.containsKey(frame.number)) {
        assertTrue(
            frame.staysInOrder() || waitOfStream.containsKey(frame.stream),
            () -> "frame " + frame.number + " of stream " + frame.stream + " waits");
        if (frame.type != FrameType.GOAWAY) {
          waitOfStream.put(frame.stream, frame);
        }
      }
    }
  }
}
