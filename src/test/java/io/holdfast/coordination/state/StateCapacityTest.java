package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The bound of all state, by what the members have room for. */
class StateCapacityTest {

  private final AppliedLog log = AppliedLog.founded(1);

  private void configure(long... members) {
    List<ConfiguredMember> all = new ArrayList<>();
    for (long member : members) {
      all.add(new ConfiguredMember(new NodeId(member), "a:" + member, Set.of(NodeRole.VOTER)));
    }
    log.apply(new CoordinationCommand.Configure(all));
  }

  private CoordinationVerdict open(long member, long incarnation, Set<NodeRole> roles, long room) {
    return log.apply(
        new CoordinationCommand.OpenSession(
            new NodeId(member),
            incarnation,
            "akka://holdfast@host:" + member,
            member,
            roles,
            2_000,
            log.state.terms(),
            room));
  }

  private CoordinationVerdict open(long member, long incarnation, long room) {
    return open(member, incarnation, Set.of(NodeRole.VOTER, NodeRole.SHARD_HOST), room);
  }

  private long bound() {
    assertEquals(
        log.state.stateBound(), CoordinationState.readFrom(log.state.toBytes()).stateBound());
    return log.state.stateBound();
  }

  @Test
  void the_least_that_any_member_has_room_for_counts() {
    configure(1, 2, 3);
    assertEquals(Long.MAX_VALUE, bound());
    open(1, 1, 500);
    open(2, 1, 300);
    open(3, 1, 400);
    assertEquals(300, bound());
  }

  @Test
  void a_member_that_does_not_run_must_be_able_to_come_back() {
    configure(1, 2);
    open(1, 1, 500);
    CoordinationVerdict opened = open(2, 1, 300);
    SessionId session = ((CoordinationVerdict.Opened) opened).session().id();
    log.apply(new CoordinationCommand.CloseSession(session));
    assertEquals(300, bound());
    open(2, 2, 600);
    assertEquals(500, bound(), "it came back with more");
  }

  @Test
  void a_member_that_was_removed_counts_no_more() {
    configure(1, 2);
    open(1, 1, 500);
    open(2, 1, 300);
    configure(1);
    assertEquals(500, bound());
  }

  @Test
  void services_and_strangers_do_not_count() {
    configure(1);
    open(1, 1, 500);
    open(8, 1, Set.of(), 10);
    open(9, 1, 10);
    assertEquals(500, bound());
  }

  @Test
  void a_process_of_before_that_does_not_say_bounds_nothing() {
    configure(1, 2);
    open(1, 1, 500);
    open(2, 1, 0);
    assertEquals(500, bound());
    open(1, 2, 0);
    assertEquals(Long.MAX_VALUE, bound());
  }

  @Test
  void a_repeated_opening_finds_its_session_at_any_capacity() {
    configure(1);
    open(1, 1, 500);
    CoordinationVerdict again = open(1, 1, 500);
    assertEquals(true, ((CoordinationVerdict.Opened) again).repeated());
  }

  @Test
  void less_than_nothing_is_refused() {
    configure(1);
    assertEquals(
        CoordinationRefusal.OUT_OF_BOUND, ((CoordinationVerdict.Refused) open(1, 1, -1)).reason());
  }
}
