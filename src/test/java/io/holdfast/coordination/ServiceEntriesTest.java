package io.holdfast.coordination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.id.ShardId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which entries a service may write to the log by way of a node. */
class ServiceEntriesTest {

  private static final ShardTerms TERMS = ShardTerms.of(4);

  private static final SessionId OWN = new SessionId(7);
  private static final SessionId NODES = new SessionId(8);

  private final CoordinationMachine machine = new CoordinationMachine(1);

  @Test
  void an_entry_about_its_own_session_is_allowed() {
    for (CoordinationCommand command :
        List.of(
            opening(Set.of()),
            new CoordinationCommand.RenewSession(OWN, 1),
            new CoordinationCommand.MarkJoined(OWN, FormationId.NONE),
            new CoordinationCommand.ReportReachability(OWN, Set.of()),
            new CoordinationCommand.CloseSession(OWN))) {
      assertTrue(allows(machine.entry(1, command)), command::toString);
    }
  }

  @Test
  void an_entry_that_is_the_nodes_matter_is_refused() {
    for (CoordinationCommand command :
        List.of(
            opening(Set.of(NodeRole.SHARD_HOST)),
            opening(Set.of(NodeRole.VOTER)),
            new CoordinationCommand.AcquireShard(OWN, ShardId.of(1), 1, TERMS),
            new CoordinationCommand.ExpireSession(OWN, 1),
            new CoordinationCommand.ExpireEarly(OWN, 1),
            new CoordinationCommand.FormCluster(OWN, 0),
            new CoordinationCommand.Expel(Set.of(OWN)),
            new CoordinationCommand.ForgetMember(new NodeId(1)),
            new CoordinationCommand.RaiseGeneration(2))) {
      assertFalse(allows(machine.entry(1, command)), command::toString);
    }
  }

  @Test
  void the_session_of_a_node_is_not_its_own() {
    for (CoordinationCommand command :
        List.of(
            new CoordinationCommand.RenewSession(NODES, 1),
            new CoordinationCommand.MarkJoined(NODES, FormationId.NONE),
            new CoordinationCommand.ReportReachability(NODES, Set.of()),
            new CoordinationCommand.CloseSession(NODES))) {
      assertFalse(allows(machine.entry(1, command)), command::toString);
    }
  }

  @Test
  void an_entry_of_another_machine_is_refused() {
    byte[] entry = machine.entry(1, new CoordinationCommand.RenewSession(OWN, 1));
    byte[] ofAnother = entry.clone();
    ofAnother[0]++;
    assertFalse(allows(ofAnother));
    assertFalse(allows(new byte[0]));
    assertFalse(allows(new byte[] {CoordinationMachine.CODE, -1}));
    assertFalse(allows(Arrays.copyOf(entry, ServiceEntries.MAX_BYTES + 1)));
    assertEquals(CoordinationMachine.CODE, entry[0]);
  }

  private static boolean allows(byte[] entry) {
    return ServiceEntries.allow(entry, NODES::equals);
  }

  private static CoordinationCommand opening(Set<NodeRole> roles) {
    return new CoordinationCommand.OpenSession(
        new NodeId(9), 1, "akka://holdfast@host:1", 1, roles, 2_000, TERMS);
  }
}
