package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection that was accepted: from a stranger, who becomes a member or asks a question. */
final class Inbound extends Connection {

  private static final int STRANGER_BYTES = 512;
  private static final int USUAL_INPUT_BYTES = 64 << 10;
  private static final byte[] PONG = {FrameFormat.PONG};

  private final Handshake handshake;
  private final Object from;
  private @Nullable Hello hello;
  private @Nullable MessageDecoder messages;
  private boolean asked;
  private long deadline;

  Inbound(Station station, SocketChannel channel, Handshake handshake) throws IOException {
    super(
        station,
        channel,
        null,
        new FrameInput(STRANGER_BYTES, FrameFormat.MAX_GREETING_BYTES),
        new FrameOutput(STRANGER_BYTES));
    this.handshake = handshake;
    InetAddress address = channel.socket().getInetAddress();
    this.from = address == null ? "nowhere" : address; // it has left already
    this.deadline = station.now() + station.settings.handshakeTimeoutMs();
    station.wakeBy(deadline);
  }

  /** The address that it comes from. */
  Object from() {
    return from;
  }

  @Override
  void connected() {
    handshake.arrived(this);
  }

  @Override
  void frame(byte kind, ByteBuffer body) throws IOException {
    if (messages != null && kind == FrameFormat.BATCH) {
      batch(messages, body);
    } else if (messages != null && kind == FrameFormat.PING) {
      input.shrink();
      if (output.pending() == 0) {
        output.frame(PONG);
        flush();
      }
    } else if (hello == null && kind == FrameFormat.HELLO) {
      greeted(GreetingCodec.hello(body));
    } else if (hello != null && messages == null && !asked && kind == FrameFormat.QUESTION) {
      asked = true;
      answer(station.events.asked(GreetingCodec.unwrap(body)));
    } else {
      throw new MalformedFrame("frame kind [" + kind + "] was not expected");
    }
  }

  @Override
  void alive() {
    if (messages != null) {
      deadline = station.now() + station.settings.inboundSilenceMs();
    }
  }

  @Override
  void tick(long now) {
    if (now >= deadline) {
      end(LinkEnding.SILENT, "no message in time");
    } else if (messages != null && hello != null && isOfAnotherCluster(hello)) {
      end(LinkEnding.CLOSED, "it is of another cluster");
    } else {
      station.wakeBy(deadline);
    }
  }

  @Override
  void ended(LinkEnding ending, String why) {
    MemberId member = messages == null || hello == null ? null : hello.from();
    handshake.left(this, member);
    if (member == null) {
      return;
    }
    station.counters.countLost();
    station.links.inboundEnded(member, ending);
    station.events.connectionLost(member);
  }

  private void greeted(@Nullable Hello words) {
    if (words == null) {
      refuse(handshake.refuseVersion());
      return;
    }
    hello = words;
    if (words.asks()) {
      input.widen(STRANGER_BYTES, 1 + FrameFormat.MAX_QUESTION_BYTES);
      return;
    }
    Refused refused = handshake.judge(words);
    if (refused != null) {
      refuse(refused);
      return;
    }
    handshake.admit(this, words);
    messages = new MessageDecoder(words.from(), station.self.member());
    input.widen(USUAL_INPUT_BYTES, FrameFormat.MAX_MESSAGE_BYTES);
    alive();
    station.wakeBy(deadline);
    station.counters.countEstablished();
    output.frame(
        GreetingCodec.encode(new Welcome(station.self.member(), station.self.incarnation())));
    flush();
    station.links.introduced(words, handshake);
  }

  private void refuse(Refused refused) {
    output.frame(GreetingCodec.encode(refused));
    flush();
    end(LinkEnding.CLOSED, refused.text());
  }

  private void answer(byte[] answer) {
    if (answer.length > FrameFormat.MAX_QUESTION_BYTES) {
      end(LinkEnding.CLOSED, "an answer of [" + answer.length + "] bytes is too large");
      return;
    }
    output.frame(GreetingCodec.wrap(FrameFormat.ANSWER, answer));
    flush();
  }

  private void batch(MessageDecoder decoder, ByteBuffer body) throws IOException {
    boolean large = body.limit() - body.position() >= FrameFormat.MAX_BATCH_BYTES;
    while (body.hasRemaining() && !isOver()) {
      Message message = next(decoder, body);
      if (large && body.hasRemaining()) {
        throw new MalformedFrame("a batch exceeds [" + FrameFormat.MAX_BATCH_BYTES + "] bytes");
      }
      station.counters.countReceived();
      received(message);
    }
  }

  private void received(Message message) throws IOException {
    try {
      station.events.received(message);
    } catch (AbsurdMessage e) {
      handshake.complain(message.from(), String.valueOf(e.getMessage()));
      throw new MalformedFrame(e);
    }
  }

  private static Message next(MessageDecoder decoder, ByteBuffer body) throws IOException {
    try {
      return decoder.next(body);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrame(e);
    }
  }

  private boolean isOfAnotherCluster(Hello words) {
    return station.cluster() != 0 && words.cluster() != station.cluster();
  }
}
