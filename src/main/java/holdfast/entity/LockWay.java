package holdfast.entity;

import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import java.util.concurrent.CompletionStage;

/** The way to locks, wherever they are run: what is lost on it is sent again. */
interface LockWay {

  /** As {@link LockShards#handle(LockKey, LockCommand)}. */
  CompletionStage<LockAnswer> handle(LockKey key, LockCommand command);

  /** As {@link LockShards#renew}. */
  CompletionStage<Renewal.Answer> renew(Renewal renewal);
}
