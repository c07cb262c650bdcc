package io.holdfast.wire;

import akka.actor.ActorPath;
import akka.actor.typed.ActorRef;
import java.util.function.Consumer;

/** A recipient of answers without an actor system. */
public final class ReplyTo<T> implements ActorRef<T> {

  private static final long serialVersionUID = 1;

  private final transient Consumer<T> told;

  /** Passes each message to this consumer, at once. */
  public ReplyTo(Consumer<T> told) {
    this.told = told;
  }

  @Override
  public void tell(T message) {
    told.accept(message);
  }

  @Override
  @SuppressWarnings("unchecked") // it accepts any message
  public <U extends T> ActorRef<U> narrow() {
    return (ActorRef<U>) this;
  }

  @Override
  @SuppressWarnings("unchecked") // as in Akka
  public <U> ActorRef<U> unsafeUpcast() {
    return (ActorRef<U>) this;
  }

  @Override
  public ActorPath path() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int compareTo(ActorRef<?> other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String toString() {
    return "caller";
  }
}
