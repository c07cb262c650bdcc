package io.holdfast.samples.billing;

import akka.actor.typed.ActorSystem;
import io.holdfast.service.HoldfastService;

/** One instance of the sample, as a process. */
public final class BillingMain {

  private BillingMain() {}

  public static void main(String[] args) {
    ActorSystem<?> system =
        ActorSystem.create(
            Billing.create(new Ledger()), HoldfastService.SYSTEM, HoldfastService.setup());
    system.getWhenTerminated().toCompletableFuture().join();
  }
}
