package io.holdfast.raft.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection that was dialed to reach one peer; it carries messages there, and pongs back. */
final class Outbound extends Connection {

  private static final int USUAL_OUTPUT_BYTES = 64 << 10;
  private static final byte[] PING = {FrameFormat.PING};

  private final PeerLink link;
  private @Nullable Welcome welcome;
  private long deadline;
  private long nextPing;
  private long unansweredSince = LinkContext.NEVER;

  Outbound(LinkContext context, PeerLink link) throws IOException {
    super(
        context,
        SocketChannel.open(),
        link.peer().address(),
        new FrameInput(FrameFormat.MAX_GREETING_BYTES, FrameFormat.MAX_GREETING_BYTES),
        new FrameOutput(USUAL_OUTPUT_BYTES));
    this.link = link;
    waitUntil(context.now() + context.settings.connectTimeoutMs());
  }

  /** The answer to its hello; null until it is admitted. */
  @Nullable Welcome welcome() {
    return welcome;
  }

  @Override
  void connected() {
    LinkIdentity self = context.self;
    output.frame(
        GreetingCodec.encode(
            new Hello(
                false,
                context.cluster(),
                self.group(),
                self.member(),
                self.incarnation(),
                link.peer().id().value(),
                self.address())));
    flush();
    waitUntil(context.now() + context.settings.handshakeTimeoutMs());
  }

  @Override
  void frame(byte kind, ByteBuffer body) throws IOException {
    if (welcome == null && kind == FrameFormat.WELCOME) {
      welcomed(GreetingCodec.welcome(body));
    } else if (welcome == null && kind == FrameFormat.REFUSED) {
      Refused refused = GreetingCodec.refused(body);
      discard();
      link.refused(refused);
    } else if (welcome == null || kind != FrameFormat.PONG) {
      throw new MalformedFrame("frame kind [" + kind + "] was not expected");
    }
  }

  @Override
  void alive() {
    unansweredSince = LinkContext.NEVER;
  }

  @Override
  void tick(long now) {
    if (welcome == null) {
      if (now >= deadline) {
        end(LinkEnding.SILENT, isConnecting() ? "no connection in time" : "no handshake in time");
      } else {
        context.wakeBy(deadline);
      }
      return;
    }
    long timeoutMs = context.settings.silenceMs() - context.settings.pingMs();
    if (unansweredSince != LinkContext.NEVER && now - unansweredSince >= timeoutMs) {
      end(LinkEnding.SILENT, "no message in time");
      return;
    }
    if (now >= nextPing) {
      nextPing = now + context.settings.pingMs();
      unansweredSince = Math.min(unansweredSince, now);
      output.shrink();
      output.frame(PING);
      flush();
    }
    context.wakeBy(nextPing);
    if (unansweredSince != LinkContext.NEVER) {
      context.wakeBy(unansweredSince + timeoutMs);
    }
  }

  @Override
  void ended(LinkEnding ending, String why) {
    link.ended(ending, welcome != null, why);
  }

  private void welcomed(Welcome received) throws IOException {
    if (!received.member().equals(link.peer().id())) {
      throw new MalformedFrame("[" + received.member() + "] answered");
    }
    welcome = received;
    nextPing = context.now() + context.settings.pingMs();
    context.wakeBy(nextPing);
    link.established(received);
  }

  private void waitUntil(long atMs) {
    deadline = atMs;
    context.wakeBy(atMs);
  }
}
