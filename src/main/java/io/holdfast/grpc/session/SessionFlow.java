package io.holdfast.grpc.session;

import akka.NotUsed;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.stream.Attributes;
import akka.stream.CompletionStrategy;
import akka.stream.Materializer;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.stream.typed.javadsl.ActorSink;
import akka.stream.typed.javadsl.ActorSource;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.frame.Deframer;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.wire.CallerMessage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Joins a stream of frames to the actor that serves it. The actor is given the next frame when it
 * has taken the last one, and gives one when the client can take more.
 */
public final class SessionFlow {

  private SessionFlow() {}

  /** What goes out. */
  sealed interface Out {

    /** A frame. */
    record Frame(SessionResponse frame) implements Out {}

    /** The end of the stream, in good order. */
    record End() implements Out {}

    /** The end of the stream with an error. */
    record Failure(Throwable cause) implements Out {}
  }

  /** What the two ends of the stream tell its actor. */
  sealed interface Event extends SessionMessage {

    /** Frames can go out from now on, one after each {@link Wanted}. */
    record Opened(ActorRef<Out> out) implements Event {}

    /** The last one went out. */
    record Wanted() implements Event {}

    /** The client's side is there; the first frame comes after the answer to it. */
    record Begun(ActorRef<Taken> taken) implements Event {}

    /** A frame came; the next one comes after the answer to it. */
    record Came(SessionRequest frame, ActorRef<Taken> taken) implements Event {}

    /** The client sends no more. */
    record Finished() implements Event {}

    /** What came is no frame. */
    record Invalid(StatusRuntimeException error) implements Event {}
  }

  /** The frame was taken, and another may come. */
  enum Taken {
    INSTANCE
  }

  /**
   * A stream.
   *
   * @param talk makes the actor that serves it; it takes the events of this stream, among others
   */
  public static Source<SessionResponse, NotUsed> join(
      ActorSystem<?> system,
      Source<SessionRequest, NotUsed> frames,
      Supplier<Behavior<CallerMessage>> talk) {
    return Source.fromMaterializer(
            (materializer, attributes) ->
                materialize(
                    system
                        .systemActorOf(
                            talk.get(), "session-stream-" + UUID.randomUUID(), Props.empty())
                        .narrow(),
                    frames,
                    materializer))
        .mapMaterializedValue(unused -> NotUsed.getInstance());
  }

  /* Neither side has a buffer of its own: frames may be large, and there are many streams. */

  private static Source<SessionResponse, NotUsed> materialize(
      ActorRef<SessionMessage> actor,
      Source<SessionRequest, NotUsed> frames,
      Materializer materializer) {
    return ActorSource.<Out, SessionMessage>actorRefWithBackpressure(
            actor, new Event.Wanted(), SessionFlow::end, SessionFlow::failure)
        .mapMaterializedValue(
            out -> {
              actor.tell(new Event.Opened(out));
              return frames.runWith(taking(actor), materializer);
            })
        .mapConcat(SessionFlow::frames);
  }

  private static Sink<SessionRequest, NotUsed> taking(ActorRef<SessionMessage> actor) {
    return ActorSink.<SessionRequest, SessionMessage, Taken>actorRefWithBackpressure(
            actor,
            (taken, frame) -> new Event.Came(frame, taken),
            taken -> new Event.Begun(taken),
            Taken.INSTANCE,
            new Event.Finished(),
            SessionFlow::ended)
        .addAttributes(Attributes.inputBuffer(1, 1));
  }

  private static Event ended(Throwable failure) {
    if (failure instanceof StatusRuntimeException error) {
      return new Event.Invalid(error);
    }
    return failure instanceof InvalidProtocolBufferException
        ? new Event.Invalid(Deframer.invalid("a frame cannot be decoded"))
        : new Event.Finished(); // its client has gone
  }

  private static Iterable<SessionResponse> frames(Out out) {
    return out instanceof Out.Frame frame ? List.of(frame.frame()) : List.of();
  }

  private static Optional<CompletionStrategy> end(Out out) {
    return out.equals(new Out.End())
        ? Optional.of(CompletionStrategy.draining())
        : Optional.empty();
  }

  private static Optional<Throwable> failure(Out out) {
    return out instanceof Out.Failure failure ? Optional.of(failure.cause()) : Optional.empty();
  }
}
