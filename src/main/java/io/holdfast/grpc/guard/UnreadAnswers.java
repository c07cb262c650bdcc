package io.holdfast.grpc.guard;

import akka.http.impl.engine.http2.FrameEvent;
import akka.http.impl.engine.http2.Http2SubStream;
import akka.http.javadsl.model.HttpEntity.ChunkStreamPart;
import akka.http.javadsl.model.HttpHeader;
import akka.stream.scaladsl.Source;
import akka.util.ByteString;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import scala.util.Left;
import scala.util.Right;

/**
 * The answers of one connection that its client has not taken. Akka keeps them in memory if the
 * client's window is small. An answer counts from its arrival at the HTTP/2 layer until its last
 * frame leaves the layer.
 *
 * <p>Akka keeps the whole of an answer until its last byte is taken. So an answer in one piece
 * counts until its end, and a message of a stream until its last byte has left.
 *
 * <p>For the one actor that runs the layers of the connection.
 */
final class UnreadAnswers {

  /** The memory overhead of one answer, in bytes. */
  static final int OVERHEAD_OF_ANSWER = 512;

  /** The unread bytes that a stream may have even when the node is full, plus one message. */
  static final int LITTLE = 4 << 10;

  private final Quota bytes;
  private final ClientConnection caller;
  private final Map<Integer, UnreadAnswer> open = new HashMap<>();
  private int lastStream;
  private long unread;
  private long left;

  /**
   * Starts without answers.
   *
   * @param bytes the quota of bytes of unread answers
   */
  UnreadAnswers(Quota bytes, ClientConnection caller) {
    this.bytes = bytes;
    this.caller = caller;
  }

  /** The answer to one call. */
  private final class UnreadAnswer {

    private final Queue<Integer> messages = new ArrayDeque<>(0);
    private int ofFirst; // bytes of the first message that have left
    private int size;
    private int counted;
    private boolean over;
    private @Nullable Runnable waits;

    /** Counts bytes that arrive at the layer. */
    private void add(int more) {
      if (!over) {
        size += more;
        count();
      }
    }

    private void addMessage(int more) {
      if (more > 0 && !over) {
        messages.add(more);
        add(more);
      }
    }

    /** Stops counting the messages whose last byte is among the bytes that leave the layer. */
    private void leave(int fewer) {
      ofFirst += fewer;
      int before = size;
      for (Integer first = messages.peek();
          first != null && ofFirst >= first;
          first = messages.peek()) {
        messages.remove();
        ofFirst -= first;
        size -= first;
      }
      if (size < before) {
        count();
        resume();
      }
    }

    private void end() {
      over = true;
      size = 0;
      messages.clear();
      count();
      resume();
    }

    private void count() {
      int now = size == 0 ? 0 : size + OVERHEAD_OF_ANSWER;
      if (now != counted) {
        bytes.count(caller, now - counted);
        unread += now - counted;
        counted = now;
      }
    }

    private void resume() {
      Runnable waiting = waits;
      if (waiting != null) {
        waits = null;
        waiting.run();
      }
    }

    /**
     * True if more may come: there is room, or only little is unread. Otherwise {@code later} runs
     * when something is taken.
     */
    private boolean mayContinue(Runnable later) {
      boolean mayContinue = over || size < LITTLE || hasRoom();
      waits = mayContinue ? null : later;
      return mayContinue;
    }
  }

  private boolean hasRoom() {
    return bytes.full(caller, 0, /* reserve= */ 0) == null;
  }

  /**
   * Counts an answer on its way to the layer. A streaming answer is returned with a stage that
   * waits for room.
   */
  Http2SubStream begin(Http2SubStream answer) {
    UnreadAnswer counted = open.get(answer.streamId());
    if (counted == null) {
      return answer; // its call was reset
    } else if (answer.initialHeaders().endStream()) {
      counted.add(1);
      return answer;
    } else if (answer.data() instanceof Left<ByteString, Source<Object, Object>> whole) {
      counted.add(whole.value().size());
      return answer;
    }
    return answer.copy(
        answer.initialHeaders(),
        answer.trailingHeaders(),
        new Right<ByteString, Source<Object, Object>>(
            messages(answer)
                .via(
                    new BackpressureStage<Object>(
                        counted::mayContinue, message -> counted.addMessage(sizeOf(message))))),
        answer.correlationAttributes());
  }

  private static Source<Object, Object> messages(Http2SubStream answer) {
    return ((Right<ByteString, Source<Object, Object>>) answer.data()).value();
  }

  /**
   * Returns the size of a part. Trailers count too: they may contain a holder, and wait until the
   * network takes them.
   */
  private static int sizeOf(Object part) {
    if (part instanceof ByteString bytes) {
      return bytes.size();
    }
    int size = 0;
    if (part instanceof ChunkStreamPart chunk) {
      size = chunk.data().size();
      for (HttpHeader trailer : chunk.getTrailerHeaders()) {
        size += trailer.value().length();
      }
    }
    return size;
  }

  /** Notes a frame from the client. The headers of a call open its answer. */
  void received(FrameEvent frame) {
    if (frame instanceof FrameEvent.ParsedHeadersFrame headers) {
      if (headers.streamId() > lastStream) {
        lastStream = headers.streamId();
        open.put(lastStream, new UnreadAnswer());
      }
    } else if (frame instanceof FrameEvent.RstStreamFrame reset) {
      end(reset.streamId());
    }
  }

  /** Notes a frame that leaves the layer. */
  void sent(FrameEvent frame) {
    if (frame instanceof FrameEvent.DataFrame data) {
      left++;
      if (data.endStream()) {
        end(data.streamId());
      } else {
        UnreadAnswer answer = open.get(data.streamId());
        if (answer != null) {
          answer.leave(data.payload().size());
        }
      }
    } else if (frame instanceof FrameEvent.ParsedHeadersFrame headers) {
      if (headers.endStream()) {
        end(headers.streamId());
      }
    } else if (frame instanceof FrameEvent.RstStreamFrame reset) {
      end(reset.streamId());
    }
  }

  private void end(int stream) {
    UnreadAnswer answer = open.remove(stream);
    if (answer != null) {
      answer.end();
    }
  }

  /** Stops counting all answers: the connection has ended. */
  void end() {
    open.values().forEach(UnreadAnswer::end);
    open.clear();
    lastStream = Integer.MAX_VALUE;
  }

  /** Returns the count of frames of answers that have left. It grows while the client reads. */
  long left() {
    return left;
  }

  /** True if answers are unread while the node has no room for more. */
  boolean areStuck() {
    return unread > 0 && !hasRoom();
  }
}
