package io.holdfast.raft.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;

/** A connection that was dialed for one question, and ends with the answer or without one. */
final class QuestionConnection extends Connection {

  private static final int USUAL_BYTES = 4 << 10;

  private final byte[] question;
  private final Consumer<Optional<byte[]>> answer;
  private final long deadline;

  QuestionConnection(
      LinkContext context,
      String address,
      byte[] question,
      long deadline,
      Consumer<Optional<byte[]>> answer)
      throws IOException {
    super(
        context,
        SocketChannel.open(),
        address,
        new FrameInput(USUAL_BYTES, 1 + FrameFormat.MAX_QUESTION_BYTES),
        new FrameOutput(USUAL_BYTES));
    this.question = question;
    this.answer = answer;
    this.deadline = deadline;
    context.wakeBy(deadline);
  }

  @Override
  void connected() {
    LinkIdentity self = context.self;
    output.frame(
        GreetingCodec.encode(
            new Hello(
                true,
                context.cluster(),
                self.group(),
                self.member(),
                self.incarnation(),
                0,
                self.address())));
    output.frame(GreetingCodec.wrap(FrameFormat.QUESTION, question));
    flush();
  }

  @Override
  void frame(byte kind, ByteBuffer body) throws IOException {
    if (kind != FrameFormat.ANSWER) {
      throw new MalformedFrame("frame kind [" + kind + "] is no answer");
    }
    byte[] received = GreetingCodec.unwrap(body);
    discard();
    answer.accept(Optional.of(received));
  }

  @Override
  void alive() {}

  @Override
  void tick(long now) {
    if (now >= deadline) {
      end(LinkEnding.SILENT, "no answer in time");
    } else {
      context.wakeBy(deadline);
    }
  }

  @Override
  void ended(LinkEnding ending, String why) {
    answer.accept(Optional.empty());
  }
}
