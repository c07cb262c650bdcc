package io.holdfast.client.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.fixtures.FakeNode;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring's election of a leader, which asks again and again for the lock that it has. */
@Timeout(60)
final class LeaderInitiatorTest {

  private final FakeNode node = new FakeNode();
  private final Member first = new Member("first");
  private final Member second = new Member("second");

  /** A process that may lead. */
  private final class Member extends AbstractCandidate {
    final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    final HoldfastClient client =
        HoldfastClient.builder().endpoint(node.endpoint()).ttl(Duration.ofSeconds(1)).connect();
    final LockRegistryLeaderInitiator initiator =
        new LockRegistryLeaderInitiator(new HoldfastLockRegistry(client, "roles/"), this);
    volatile boolean isLeader;

    Member(String id) {
      super(id, "leader");
      initiator.setHeartBeatMillis(50);
      initiator.setBusyWaitMillis(10);
    }

    @Override
    public void onGranted(Context context) {
      isLeader = true;
      told.add("granted");
    }

    @Override
    public void onRevoked(Context context) {
      isLeader = false;
      told.add("revoked");
    }

    void await(String wanted) throws InterruptedException {
      String next = told.poll(20, TimeUnit.SECONDS);
      assertTrue(wanted.equals(next), getId() + " is told [" + next + "], not [" + wanted + "]");
    }

    void close() {
      initiator.stop();
      client.close();
    }
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    node.close();
  }

  @Test
  void a_leader_whose_lock_is_taken_away_is_revoked() throws Exception {
    first.initiator.start();
    first.await("granted");
    second.initiator.start();
    while (node.waiting("roles/leader") == 0) {
      Thread.onSpinWait();
    }
    node.force("roles/leader");
    second.await("granted");
    first.await("revoked");
    assertTrue(second.isLeader);
    assertFalse(first.isLeader);
    second.initiator.stop();
    second.await("revoked");
    first.await("granted");
  }
}
