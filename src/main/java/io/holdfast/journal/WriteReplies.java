package io.holdfast.journal;

import akka.actor.ActorRef;
import akka.persistence.AtomicWrite;
import akka.persistence.JournalProtocol;
import akka.persistence.PersistentEnvelope;
import akka.persistence.PersistentRepr;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The replies to an actor that asked to write events. They are sent once all of these events have a
 * verdict.
 */
final class WriteReplies {

  /** Creates the reply about one event. */
  @FunctionalInterface
  private interface Reply {
    Object to(int place, PersistentRepr event);
  }

  private final JournalProtocol.WriteMessages asked;
  private final ActorRef journal;
  private final List<Optional<Exception>> answers;
  private int open;
  private boolean isTold;

  /**
   * Starts without verdicts. Envelopes that hold no event are answered together with the events.
   */
  WriteReplies(JournalProtocol.WriteMessages asked, ActorRef journal) {
    this.asked = asked;
    this.journal = journal;
    for (PersistentEnvelope envelope : CollectionConverters.asJava(asked.messages())) {
      open += envelope instanceof AtomicWrite ? 1 : 0;
    }
    answers = new ArrayList<>(Collections.nCopies(open, Optional.empty()));
    if (open == 0) {
      tell();
    }
  }

  void written(int place) {
    answer(place, Optional.empty());
  }

  /** Records that an event was rejected before it was sent. */
  void rejected(int place, Exception reason) {
    answer(place, Optional.of(reason));
  }

  /** Reports all events as failed because one has failed: the actor stops. */
  synchronized void failed(Throwable reason) {
    if (!isTold) {
      isTold = true;
      tell(new JournalProtocol.WriteMessagesFailed(reason, answers.size()));
      each((place, event) -> new JournalProtocol.WriteMessageFailure(event, reason, instance()));
    }
  }

  private synchronized void answer(int place, Optional<Exception> answer) {
    answers.set(place, answer);
    if (--open == 0 && !isTold) {
      tell();
    }
  }

  private void tell() {
    isTold = true;
    tell(JournalProtocol.WriteMessagesSuccessful$.MODULE$);
    each(
        (place, event) -> {
          Optional<Exception> rejected = answers.get(place);
          return rejected.isEmpty()
              ? new JournalProtocol.WriteMessageSuccess(event, instance())
              : new JournalProtocol.WriteMessageRejected(event, rejected.get(), instance());
        });
  }

  private void each(Reply reply) {
    int place = 0;
    for (PersistentEnvelope envelope : CollectionConverters.asJava(asked.messages())) {
      if (envelope instanceof AtomicWrite write) {
        for (PersistentRepr event : CollectionConverters.asJava(write.payload())) {
          asked.persistentActor().tell(reply.to(place, event), event.sender());
        }
        place++;
      } else {
        asked
            .persistentActor()
            .tell(
                new JournalProtocol.LoopMessageSuccess(envelope.payload(), instance()),
                envelope.sender());
      }
    }
  }

  private void tell(Object message) {
    asked.persistentActor().tell(message, journal);
  }

  private int instance() {
    return asked.actorInstanceId();
  }
}
