package io.holdfast.sharding;

import io.holdfast.id.LeaseId;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.Renewal;
import java.util.concurrent.CompletionStage;

/** Sends commands and renewals to shared leases, on any node. */
public interface LeaseGateway {

  /**
   * Sends a command to a lease. The stage fails with {@link java.util.concurrent.TimeoutException}
   * if no answer came: the command may have had its effect or not.
   */
  CompletionStage<LeaseAnswer> handle(LeaseId lease, LeaseCommand command);

  /** Sends a renewal; fails as {@link LockShards#renew} does. */
  CompletionStage<Renewal.Answer> renew(Renewal renewal);
}
