package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection. Its other end is unknown until it names itself as a member, or asks a
 * question.
 */
final class Inbound extends Connection {

  private static final int GREETING_BYTES = 512;
  private static final int USUAL_INPUT_BYTES = 64 << 10;
  private static final byte[] PONG = {FrameFormat.PONG};

  private final Handshake handshake;
  private final Object from;
  private @Nullable Hello hello;
  private @Nullable MessageDecoder messages;
  private boolean asked;
  private long deadline;

  Inbound(LinkContext context, SocketChannel channel, Handshake handshake) throws IOException {
    super(
        context,
        channel,
        null,
        new FrameInput(GREETING_BYTES, FrameFormat.MAX_GREETING_BYTES),
        new FrameOutput(GREETING_BYTES));
    this.handshake = handshake;
    InetAddress address = channel.socket().getInetAddress();
    this.from = address == null ? "nowhere" : address; // it has left already
    this.deadline = context.now() + context.settings.handshakeTimeoutMs();
    context.wakeBy(deadline);
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
      answer(context.events.asked(GreetingCodec.unwrap(body)));
    } else {
      throw new MalformedFrame("frame kind [" + kind + "] was not expected");
    }
  }

  @Override
  void alive() {
    if (messages != null) {
      deadline = context.now() + context.settings.inboundSilenceMs();
    }
  }

  @Override
  void tick(long now) {
    if (now >= deadline) {
      end(LinkEnding.SILENT, "no message in time");
    } else if (messages != null && hello != null && isOfAnotherCluster(hello)) {
      end(LinkEnding.CLOSED, "it is of another cluster");
    } else {
      context.wakeBy(deadline);
    }
  }

  @Override
  void ended(LinkEnding ending, String why) {
    MemberId member = messages == null || hello == null ? null : hello.from();
    handshake.left(this, member);
    if (member == null) {
      return;
    }
    context.counters.countLost();
    context.links.inboundEnded(member, ending);
    context.events.connectionLost(member);
  }

  private void greeted(@Nullable Hello received) {
    if (received == null) {
      refuse(handshake.refuseVersion());
      return;
    }
    hello = received;
    if (received.asks()) {
      input.widen(GREETING_BYTES, 1 + FrameFormat.MAX_QUESTION_BYTES);
      return;
    }
    Refused refused = handshake.judge(received);
    if (refused != null) {
      refuse(refused);
      return;
    }
    handshake.admit(this, received);
    messages = new MessageDecoder(received.from(), context.self.member());
    input.widen(USUAL_INPUT_BYTES, FrameFormat.MAX_MESSAGE_BYTES);
    alive();
    context.wakeBy(deadline);
    context.counters.countEstablished();
    output.frame(
        GreetingCodec.encode(new Welcome(context.self.member(), context.self.incarnation())));
    flush();
    context.links.introduced(received, handshake);
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
      context.counters.countReceived();
      received(message);
    }
  }

  private void received(Message message) throws IOException {
    try {
      context.events.received(message);
    } catch (ImplausibleMessage e) {
      handshake.warnOnce(message.from(), String.valueOf(e.getMessage()));
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

  private boolean isOfAnotherCluster(Hello peer) {
    return context.cluster() != 0 && peer.cluster() != context.cluster();
  }
}
