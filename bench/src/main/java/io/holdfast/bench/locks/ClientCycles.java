package io.holdfast.bench.locks;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Workers that each lock a random key and release it through the Java client, each in a thread. */
final class ClientCycles extends Load {

  private static final long AGAIN_MS = 50;

  private final HoldfastClient client;
  private final Truth truth;

  ClientCycles(HoldfastClient client, int workers, Truth truth, Findings findings) {
    super(workers, () -> {}, findings);
    this.client = client;
    this.truth = truth;
  }

  @Override
  void begin(int seat) {
    new Thread(() -> work(seat), "worker-" + seat).start();
  }

  private void work(int seat) {
    do {
      try {
        cycle(seat);
      } catch (HoldfastException e) {
        findings.failed(String.valueOf(e.getMessage()));
        pause(AGAIN_MS);
      }
    } while (!isOver());
  }

  private void cycle(int seat) {
    long startedAt = System.nanoTime();
    int key = ThreadLocalRandom.current().nextInt(truth.keys());
    Optional<Grant> granted = client.lock(truth.name(key)).tryAcquire();
    if (granted.isEmpty()) {
      return;
    }
    Grant grant = granted.get();
    truth.granted(key, seat, grant.fencingToken(), grant.isSurelyHeld());
    truth.releases(key);
    if (!grant.release()) {
      findings.wrong("not released: [" + truth.name(key) + "]");
    }
    took(System.nanoTime() - startedAt);
  }
}
