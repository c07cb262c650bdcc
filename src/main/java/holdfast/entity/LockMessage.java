package holdfast.entity;

import akka.actor.typed.ActorRef;
import holdfast.lock.FencingToken;
import holdfast.lock.LockCommand;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.RequestId;

/** What a lock's actor is sent. */
public sealed interface LockMessage {

  /** What others ask of it, from this node or another one. */
  sealed interface Request extends LockMessage {}

  /** Do this. A request that waits is answered once, when its waiting ends. */
  record Handle(LockCommand command, ActorRef<Outcome> replyTo) implements Request {}

  /** Say what you are. */
  record Read(ActorRef<LockState> replyTo) implements Request {}

  /** What it is told by its own timers and its shard. Never leaves the node. */
  sealed interface Notice extends LockMessage {}

  /**
   * The ttl of this grant has passed.
   *
   * @param renewal which of the entity's counts of a ttl this was: a renewal begins a new one, and
   *     a notice of an older one may still be on its way
   */
  record TtlPassed(FencingToken token, long renewal) implements Notice {}

  /** The patience of this request has ended. */
  record PatienceEnded(RequestId request) implements Notice {}

  /** Nothing came for a while. */
  enum Idle implements Notice {
    INSTANCE
  }

  /** Go on with what waits at the turnstile. */
  enum GoOn implements Notice {
    INSTANCE
  }

  /** Stop, please: the shard's word. */
  enum Stop implements Notice {
    INSTANCE
  }
}
