package io.holdfast.entity;

import io.holdfast.lease.LeaseCommand;
import java.util.concurrent.CompletionStage;

/** The way to shared leases, wherever each of them runs. */
public interface LeaseWay {

  /**
   * Has a lease do something. The stage fails with {@link java.util.concurrent.TimeoutException} if
   * no answer came: then it may have been done or not.
   */
  CompletionStage<LeaseAnswer> handle(long lease, LeaseCommand command);

  /** Gives a sign of life; fails as {@link LockShards#renew} does. */
  CompletionStage<Renewal.Answer> renew(Renewal renewal);
}
