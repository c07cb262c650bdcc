package io.holdfast.bench.persist;

import java.util.concurrent.CompletableFuture;

/** A request to a {@link Writer}. */
sealed interface WriterMessage {

  /** Persist a note, and pass the turn on when it is confirmed. */
  record Write(Turns turns, long askedNanos) implements WriterMessage {}

  /** Say how many notes there are. */
  record Count(CompletableFuture<Long> answer) implements WriterMessage {}

  /** End; the next actor of this id has to recover. */
  record Stop(CompletableFuture<Long> answer) implements WriterMessage {}
}
