package io.holdfast.sharding;

import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends commands and renewals to locks, on any node, with retries. */
public interface LockGateway {

  /** As {@link LockShards#handle(LockKey, LockCommand)}. */
  default CompletionStage<LockAnswer> handle(LockKey key, LockCommand command) {
    return handle(key, command, new CompletableFuture<Void>());
  }

  /** As {@link LockShards#handle(LockKey, LockCommand, CompletionStage)}. */
  CompletionStage<LockAnswer> handle(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits);

  /** As {@link LockShards#renew}. */
  CompletionStage<Renewal.Answer> renew(Renewal renewal);
}
