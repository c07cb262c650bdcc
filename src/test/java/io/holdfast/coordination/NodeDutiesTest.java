package io.holdfast.coordination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.state.CoordinationCommand.ExpireSession;
import io.holdfast.coordination.state.CoordinationCommand.OpenSession;
import io.holdfast.coordination.state.CoordinationCommand.ReportGone;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import org.junit.jupiter.api.Test;

/** A node's session and its part as a leader, whenever the log decides. */
class NodeDutiesTest {

  private final NodeInHand hand = new NodeInHand();

  @Test
  void no_session_opens_before_the_node_has_caught_up() {
    var unused = hand.node.session().open(NodeInHand.opening(NodeInHand.SELF));
    hand.pass(100);
    assertEquals(1, hand.reads.size());
    assertEquals(0, hand.open(OpenSession.class).size());
    hand.reads.remove().complete(ReadOutcome.refused(1, RaftRefusal.NO_LEADER));
    hand.pass(100);
    assertEquals(0, hand.open(OpenSession.class).size());
    hand.catchUp();
    assertEquals(1, hand.open(OpenSession.class).size());
    hand.decideAll();
    assertTrue(hand.node.session().mayAct());
  }

  @Test
  void a_new_leader_listens_before_it_ends_a_session() {
    hand.opened();
    SessionId other = hand.openOther();
    hand.renewFor(NodeInHand.TIMES.ttlMs() + 500);
    hand.leads();
    hand.renewFor(900);
    assertEquals(0, hand.open(ExpireSession.class).size(), "nobody could renew without a leader");
    hand.renewFor(300);
    assertEquals(
        other, ((ExpireSession) hand.open(ExpireSession.class).get(0).command()).session());
  }

  @Test
  void a_gone_process_is_reported_again_if_nobody_heard_it() {
    hand.opened();
    SessionId other = hand.openOther();
    hand.machine.peerGone(new MemberId(NodeInHand.OTHER.value()));
    hand.pass(0);
    hand.lose(hand.open(ReportGone.class).get(0));
    hand.renewFor(50);
    assertEquals(other, ((ReportGone) hand.open(ReportGone.class).get(0).command()).gone());
    hand.decideAll();
    hand.renewFor(100);
    assertEquals(0, hand.open(ReportGone.class).size());
  }

  @Test
  void a_node_that_does_not_lead_ends_no_session() {
    hand.opened();
    var unused = hand.openOther();
    hand.renewFor(NodeInHand.TIMES.ttlMs() + 2_000);
    assertEquals(0, hand.open(ExpireSession.class).size());
    assertFalse(hand.node.session().ended().toCompletableFuture().isDone());
  }
}
