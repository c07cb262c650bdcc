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
 * Connects a stream of frames to the actor that serves it, with backpressure in both directions.
 * The actor gets the next frame after it has taken the last one. It sends a frame when the client
 * has demand.
 */
public final class SessionFlow {

  private SessionFlow() {}

  /** A message from the actor to the client's side of the stream. */
  sealed interface Out {

    /** A frame. */
    record Frame(SessionResponse frame) implements Out {}

    /** The normal end of the stream. */
    record End() implements Out {}

    /** The end of the stream with an error. */
    record Failure(Throwable cause) implements Out {}
  }

  /** A message from the two ends of the stream to its actor. */
  sealed interface Event extends SessionMessage {

    /** The output is ready: the actor may send one frame after each {@link FrameWanted}. */
    record OutputReady(ActorRef<Out> out) implements Event {}

    /** The last frame went out. */
    record FrameWanted() implements Event {}

    /** The input is ready; the first frame comes after the acknowledgement. */
    record InputReady(ActorRef<Taken> taken) implements Event {}

    /** A frame of the client; the next one comes after the acknowledgement. */
    record FrameReceived(SessionRequest frame, ActorRef<Taken> taken) implements Event {}

    /** The client sends no more. */
    record ClientFinished() implements Event {}

    /** The client sent an invalid frame. */
    record InvalidFrame(StatusRuntimeException error) implements Event {}
  }

  /** The acknowledgement of a frame: the next one may come. */
  enum Taken {
    INSTANCE
  }

  /**
   * Creates a stream of a session.
   *
   * @param actors creates the actor that serves it
   */
  public static Source<SessionResponse, NotUsed> join(
      ActorSystem<?> system,
      Source<SessionRequest, NotUsed> frames,
      Supplier<Behavior<CallerMessage>> actors) {
    return Source.fromMaterializer(
            (materializer, attributes) ->
                materialize(
                    system
                        .systemActorOf(
                            actors.get(), "session-stream-" + UUID.randomUUID(), Props.empty())
                        .narrow(),
                    frames,
                    materializer))
        .mapMaterializedValue(unused -> NotUsed.getInstance());
  }

  /* Neither side has a buffer: frames may be large, and there are many streams. */

  private static Source<SessionResponse, NotUsed> materialize(
      ActorRef<SessionMessage> actor,
      Source<SessionRequest, NotUsed> frames,
      Materializer materializer) {
    return ActorSource.<Out, SessionMessage>actorRefWithBackpressure(
            actor, new Event.FrameWanted(), SessionFlow::end, SessionFlow::failure)
        .mapMaterializedValue(
            out -> {
              actor.tell(new Event.OutputReady(out));
              return frames.runWith(taking(actor), materializer);
            })
        .mapConcat(SessionFlow::frames);
  }

  private static Sink<SessionRequest, NotUsed> taking(ActorRef<SessionMessage> actor) {
    return ActorSink.<SessionRequest, SessionMessage, Taken>actorRefWithBackpressure(
            actor,
            (taken, frame) -> new Event.FrameReceived(frame, taken),
            taken -> new Event.InputReady(taken),
            Taken.INSTANCE,
            new Event.ClientFinished(),
            SessionFlow::ended)
        .addAttributes(Attributes.inputBuffer(1, 1));
  }

  private static Event ended(Throwable failure) {
    if (failure instanceof StatusRuntimeException error) {
      return new Event.InvalidFrame(error);
    }
    return failure instanceof InvalidProtocolBufferException
        ? new Event.InvalidFrame(Deframer.invalid("a frame cannot be decoded"))
        : new Event.ClientFinished(); // the connection broke
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
