package io.holdfast.e2e;

import static io.holdfast.e2e.SessionUnderTest.lock;
import static io.holdfast.e2e.SessionUnderTest.unlock;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ManagedChannel;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Holder;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that their node sends again, since a commit takes longer than it waits for an answer.
 */
class LateCopiesTest {

  /** Longer than a node waits until it sends a request again, and shorter than a node's session. */
  private static final long COMMIT_TAKES_MS = 700;

  /** Shorter than a node waits until it sends a request again. */
  private static final long ARRIVED_MS = 120;

  private static final int ROUNDS = 3;

  @TempDir private Path folder;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private ClusterUnderTest cluster;
  private int owner;

  @BeforeEach
  void start() {
    cluster = ClusterUnderTest.serving(folder);
    owner = cluster.leader();
  }

  @AfterEach
  void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    cluster.close();
  }

  @Test
  void a_failed_try_lock_is_not_granted_later() {
    SessionUnderTest anna = session("anna");
    SessionUnderTest bert = session("bert");
    for (int round = 0; round < ROUNDS; round++) {
      String key = cluster.keyOwnedBy(owner, "late/" + round + "/");
      int first = 10 * round;
      anna.send(lock(first + 1, key, "a", 0));
      long token = anna.answer(first + 1).getLock().getFencingToken();
      slowly(
          () -> {
            anna.send(reentry(first + 2, key)); // the lock waits for this commit
            bert.send(lock(first + 1, key, "b", 0));
            anna.send(unlock(first + 3, key, token), unlock(first + 4, key, token));
          });
      anna.answer(first + 4);
      Answer told = bert.answer(first + 1);
      assertHolds(key, told.getLock().getAcquired() ? List.of("bert") : List.of());
    }
  }

  @Test
  void a_late_copy_of_a_single_call_without_an_id_holds_nothing() throws Exception {
    SessionUnderTest anna = session("anna");
    String key = cluster.keyOwnedBy(owner, "late/unary/");
    anna.send(lock(1, key, "a", 0));
    long token = anna.answer(1).getLock().getFencingToken();
    List<Future<LockResponse>> asked = new ArrayList<>();
    slowly(
        () -> {
          anna.send(reentry(2, key));
          asked.add(
              cluster
                  .future(owner)
                  .tryLock(
                      LockRequest.newBuilder()
                          .setKey(key)
                          .setHolderId("b")
                          .setClientId("bert")
                          .setTtlMs(3_600_000)
                          .build()));
          passes(ARRIVED_MS); // else the call may come behind the releases
          anna.send(unlock(3, key, token), unlock(4, key, token));
        });
    anna.answer(4);
    LockResponse told = asked.get(0).get(30, TimeUnit.SECONDS);
    assertHolds(key, told.getAcquired() ? List.of("bert") : List.of());
  }

  /** Has commits take long, while this is asked for. */
  private void slowly(Runnable asking) {
    int one = ClusterUnderTest.other(owner);
    int another = ClusterUnderTest.other(owner, one);
    cluster.freeze(one);
    cluster.freeze(another);
    try {
      asking.run();
      passes(COMMIT_TAKES_MS);
    } finally {
      cluster.thaw(one);
      cluster.thaw(another);
    }
  }

  private static void passes(long millis) {
    long since = System.nanoTime();
    eventually(
        "time passes",
        Duration.ofSeconds(10),
        () -> (System.nanoTime() - since) / 1_000_000,
        passed -> passed >= millis);
  }

  private void assertHolds(String key, List<String> clients) {
    List<String> holders =
        cluster.get(owner, key).getLock().getHoldersList().stream()
            .map(Holder::getClientId)
            .toList();
    assertEquals(clients, holders);
  }

  private SessionUnderTest session(String client) {
    ManagedChannel channel = cluster.connect(owner);
    channels.add(channel);
    SessionUnderTest session =
        SessionUnderTest.opening(
            channel, SessionOpen.newBuilder().setTtlMs(60_000).setClientId(client).build());
    session.opened();
    return session;
  }

  private static Operation reentry(long number, String key) {
    Operation.Builder like = lock(number, key, "a", 0).toBuilder();
    like.getLockBuilder().setReenter(true);
    return like.build();
  }
}
