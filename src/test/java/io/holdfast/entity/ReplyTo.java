package io.holdfast.entity;

import akka.actor.ActorPath;
import akka.actor.typed.ActorRef;
import java.util.function.Consumer;

/** Whoever waits for an answer, where there is no actor system. */
public final class ReplyTo<T> implements ActorRef<T> {

  private static final long serialVersionUID = 1;

  private final transient Consumer<T> told;

  /** Gives what it is told to this consumer, at once. */
  public ReplyTo(Consumer<T> told) {
    this.told = told;
  }

  @Override
  public void tell(T message) {
    told.accept(message);
  }

  @Override
  @SuppressWarnings("unchecked") // who takes all takes some
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
    return "whoever asked";
  }
}
