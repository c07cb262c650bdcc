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
 * The answers of one connection that are in the node's memory and that its client has not taken:
 * they count from where they come to the HTTP/2 layer until the frame that ends them leaves it.
 * Akka keeps them there, however small the client's window is.
 *
 * <p>A client may take all of an answer but its last byte, and the whole of it stays. So an answer
 * in one piece counts until its end, and a message of a stream until its last byte has left.
 *
 * <p>For the one actor that runs the layers of the connection.
 */
final class UnreadAnswers {

  /** Bytes of memory that an answer takes beside its own. */
  static final int OF_ONE = 512;

  /** A stream may have so many unread bytes, however many others have, and then a message. */
  static final int LITTLE = 4 << 10;

  private final Quota bytes;
  private final Caller caller;
  private final Map<Integer, Answer> open = new HashMap<>();
  private int lastStream;
  private long unread;
  private long left;

  /**
   * None is there.
   *
   * @param bytes how many may be unread
   */
  UnreadAnswers(Quota bytes, Caller caller) {
    this.bytes = bytes;
    this.caller = caller;
  }

  /** The answer to one call. */
  private final class Answer {

    private final Queue<Integer> messages = new ArrayDeque<>(0);
    private int ofFirst; // which has left
    private int size;
    private int counted;
    private boolean over;
    private @Nullable Runnable waits;

    /** So many bytes come to the layer. */
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

    /** So many bytes leave it. */
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
        goOn();
      }
    }

    private void end() {
      over = true;
      size = 0;
      messages.clear();
      count();
      goOn();
    }

    private void count() {
      int now = size == 0 ? 0 : size + OF_ONE;
      if (now != counted) {
        bytes.count(caller, now - counted);
        unread += now - counted;
        counted = now;
      }
    }

    private void goOn() {
      Runnable waiting = waits;
      if (waiting != null) {
        waits = null;
        waiting.run();
      }
    }

    /** Whether more may come: there is room, or little of it is unread. */
    private boolean mayGoOn(Runnable later) {
      boolean mayGoOn = over || size < LITTLE || hasRoom();
      waits = mayGoOn ? null : later;
      return mayGoOn;
    }
  }

  private boolean hasRoom() {
    return bytes.full(caller, 0, /* reserve= */ 0) == null;
  }

  /** An answer on its way to the layer; the same, if it has to be looked at no further. */
  Http2SubStream begin(Http2SubStream answer) {
    Answer counted = open.get(answer.streamId());
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
                    new WhileRoom<Object>(
                        counted::mayGoOn, message -> counted.addMessage(sizeOf(message))))),
        answer.correlationAttributes());
  }

  private static Source<Object, Object> messages(Http2SubStream answer) {
    return ((Right<ByteString, Source<Object, Object>>) answer.data()).value();
  }

  /** Trailers count as well: they may name a holder, and wait until the network takes them. */
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

  /** A frame from the client: with the headers of a call its answer may come. */
  void received(FrameEvent frame) {
    if (frame instanceof FrameEvent.ParsedHeadersFrame headers) {
      if (headers.streamId() > lastStream) {
        lastStream = headers.streamId();
        open.put(lastStream, new Answer());
      }
    } else if (frame instanceof FrameEvent.RstStreamFrame reset) {
      end(reset.streamId());
    }
  }

  /** A frame leaves the layer. */
  void sent(FrameEvent frame) {
    if (frame instanceof FrameEvent.DataFrame data) {
      left++;
      if (data.endStream()) {
        end(data.streamId());
      } else {
        Answer answer = open.get(data.streamId());
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
    Answer answer = open.remove(stream);
    if (answer != null) {
      answer.end();
    }
  }

  /** The connection has ended. */
  void end() {
    open.values().forEach(Answer::end);
    open.clear();
    lastStream = Integer.MAX_VALUE;
  }

  /** How many frames of answers have left: a client that takes any makes it grow. */
  long left() {
    return left;
  }

  /** True if something is unread while there is no room for more. */
  boolean areStuck() {
    return unread > 0 && !hasRoom();
  }
}
