package io.holdfast.raft.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The questions that were asked and have no answer yet, bounded in number. */
final class OpenQuestions {

  private final LinkContext context;
  private final List<Asked> open = new ArrayList<>();

  OpenQuestions(LinkContext context) {
    this.context = context;
  }

  void ask(String address, byte[] question, Consumer<Optional<byte[]>> answer) {
    if (question.length > FrameFormat.MAX_QUESTION_BYTES) {
      throw new IllegalArgumentException(
          "question of ["
              + question.length
              + "] bytes exceeds ["
              + FrameFormat.MAX_QUESTION_BYTES
              + "]");
    }
    Asked asked = new Asked(address, question, answer);
    asked.refused = open.size() >= context.settings.maxQuestions();
    open.add(asked);
    context.wakeBy(context.now());
  }

  void tick(long now) {
    for (Asked asked : List.copyOf(open)) {
      asked.tick(now);
    }
  }

  private final class Asked {

    private final String address;
    private final byte[] question;
    private final Consumer<Optional<byte[]>> answer;
    private final long deadline = context.now() + context.settings.handshakeTimeoutMs();
    private boolean refused;
    private boolean begun;
    private boolean over;

    Asked(String address, byte[] question, Consumer<Optional<byte[]>> answer) {
      this.address = address;
      this.question = question;
      this.answer = answer;
    }

    private void tick(long now) {
      if (refused || now >= deadline) {
        finish(Optional.empty());
      } else if (!begun) {
        begun = true;
        context.resolver.resolve(address, this::dial);
      }
      if (!over) {
        context.wakeBy(deadline);
      }
    }

    private void dial(@Nullable InetSocketAddress found) {
      if (over) {
        return;
      }
      try {
        if (found == null) {
          throw new IOException("address [" + address + "] is not known");
        }
        new QuestionConnection(context, address, question, deadline, this::finish).connect(found);
      } catch (IOException e) {
        finish(Optional.empty());
      }
    }

    private void finish(Optional<byte[]> received) {
      if (!over) {
        over = true;
        open.remove(this);
        answer.accept(received);
      }
    }
  }
}
