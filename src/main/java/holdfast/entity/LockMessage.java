package holdfast.entity;

import akka.actor.typed.ActorRef;
import holdfast.lock.FencingToken;
import holdfast.lock.LockCommand;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.RequestId;

/** What a lock's actor is sent. */
public sealed interface LockMessage {

  /** Do this. A request that waits is answered once, when its waiting ends. */
  record Handle(LockCommand command, ActorRef<Outcome> replyTo) implements LockMessage {}

  /** Say what you are. */
  record Read(ActorRef<LockState> replyTo) implements LockMessage {}

  /** The ttl of this grant has passed. Sent by the actor's own timer. */
  record TtlPassed(FencingToken token) implements LockMessage {}

  /** The patience of this request has ended. Sent by the actor's own timer. */
  record PatienceEnded(RequestId request) implements LockMessage {}

  /** Nothing came for a while. Sent by the actor's own timer. */
  enum Idle implements LockMessage {
    INSTANCE
  }

  /** Stop, please: sent by the shard. */
  enum Stop implements LockMessage {
    INSTANCE
  }
}
