package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.state.EndedSession.Cause;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which members the others expel when nodes that live in Raft are cut off in Akka. */
class ExpulsionTest {

  private final AppliedLog log = AppliedLog.founded(5);
  private final List<SessionId> nodes = new ArrayList<>();

  ExpulsionTest() {
    for (int member = 1; member <= 7; member++) { // 6 and 7 have no vote
      SessionId session = log.open(member, 1);
      log.apply(log.forming(session));
      log.join(session);
      nodes.add(session);
    }
  }

  @Test
  void nobody_is_expelled_while_all_reach_each_other() {
    expels();
  }

  @Test
  void a_node_that_is_cut_from_most_goes() {
    cut(1, 2);
    cut(1, 3);
    expels(1);
  }

  @Test
  void one_direction_is_enough_to_be_cut_off() {
    cut(4, 2);
    cut(3, 2);
    expels(2);
  }

  @Test
  void of_two_that_miss_each_other_the_one_without_a_vote_goes() {
    cut(6, 2);
    expels(6);
  }

  @Test
  void of_two_equals_the_younger_goes() {
    cut(1, 2);
    expels(2);
    cut(6, 7);
    expels(2, 7);
  }

  @Test
  void a_bridge_leaves_the_greater_side() {
    for (int left : List.of(1, 2)) {
      for (int right : List.of(4, 5, 6)) {
        cut(left, right);
      }
    }
    expels(1, 2);
  }

  @Test
  void never_less_than_a_majority_of_the_voters_is_left() {
    cut(1, 2);
    cut(3, 4);
    log.apply(new CoordinationCommand.CloseSession(node(5)));
    expels(); // two of the five would be left
  }

  @Test
  void a_larger_set_goes_if_the_smallest_would_take_the_majority() {
    log.apply(new CoordinationCommand.CloseSession(node(4)));
    log.apply(new CoordinationCommand.CloseSession(node(5)));
    cut(1, 6);
    cut(1, 7);
    expels(6, 7); // without 1, two of the five would be left
  }

  @Test
  void however_many_services_miss_a_node_they_go_and_it_stays() {
    List<SessionId> services = new ArrayList<>();
    for (int member = 11; member <= 13; member++) {
      SessionId service = log.openService(member);
      log.join(service);
      services.add(service);
      log.apply(new CoordinationCommand.ReportReachability(service, Set.of(node(6))));
    }
    assertEquals(Set.copyOf(services), log.state.expulsion().sessions());
    cut(6, 7);
    assertEquals(
        Set.of(node(6)), log.state.expulsion().sessions(), "one node has to go in any case");
  }

  @Test
  void a_node_stays_however_many_other_services_miss_each_other() {
    for (int pairs = 0; pairs <= 30; pairs++) {
      AppliedLog crowd = AppliedLog.founded(3);
      List<SessionId> voters = new ArrayList<>();
      for (int member = 1; member <= 3; member++) {
        voters.add(crowd.open(member, 1));
        crowd.apply(crowd.forming(voters.get(0)));
        crowd.join(voters.get(member - 1));
      }
      for (int service = 0; service < 3; service++) {
        SessionId missing = joinedService(crowd, 11 + service);
        crowd.apply(new CoordinationCommand.ReportReachability(missing, Set.of(voters.get(1))));
      }
      for (int pair = 0; pair < pairs; pair++) {
        SessionId one = joinedService(crowd, 100 + 2 * pair);
        SessionId other = joinedService(crowd, 101 + 2 * pair);
        crowd.apply(new CoordinationCommand.ReportReachability(one, Set.of(other)));
      }
      Set<SessionId> out = crowd.state.expulsion().sessions();
      String told = "with " + pairs + " pairs goes " + out;
      assertTrue(Collections.disjoint(voters, out), told);
      assertEquals(3 + pairs, out.size(), told);
    }
  }

  @Test
  void of_services_that_miss_each_other_the_fewest_go() {
    List<SessionId> services = new ArrayList<>();
    for (int member = 11; member <= 13; member++) {
      services.add(log.openService(member));
      log.join(services.get(services.size() - 1));
    }
    log.apply(
        new CoordinationCommand.ReportReachability(
            services.get(0), Set.of(services.get(1), services.get(2))));
    assertEquals(Set.of(services.get(0)), log.state.expulsion().sessions());
  }

  @Test
  void a_search_among_the_most_that_can_be_ends() {
    AppliedLog crowd = AppliedLog.founded(0);
    List<SessionId> all = new ArrayList<>();
    for (int member = 1; member <= CoordinationBounds.MAX_SESSIONS; member++) {
      all.add(crowd.open(member, 1));
      crowd.apply(crowd.forming(all.get(0)));
      crowd.join(all.get(member - 1));
    }
    for (int i = 0; i < all.size(); i++) {
      SessionId next = all.get((i + 1) % all.size());
      SessionId far = all.get((i + 100) % all.size());
      crowd.apply(new CoordinationCommand.ReportReachability(all.get(i), Set.of(next, far)));
    }
    crowd.apply(
        new CoordinationCommand.Configure(
            List.of(new ConfiguredMember(new NodeId(1), "host:1", AppliedLog.HOST))));
    Set<SessionId> out = crowd.state.expulsion().sessions();
    assertTrue(out.size() >= 128 && out.size() < 200, () -> "expels " + out.size());
  }

  @Test
  void a_node_that_has_not_joined_is_cut_off_from_nobody() {
    SessionId stranger = log.open(8, 1);
    log.apply(new CoordinationCommand.ReportReachability(stranger, Set.copyOf(nodes)));
    expels();
  }

  @Test
  void only_the_smallest_set_of_this_moment_can_be_expelled() {
    cut(1, 6);
    CoordinationCommand.Expel expel = log.state.expulsion();
    log.apply(new CoordinationCommand.ReportReachability(node(1), Set.of()));
    log.refuses(CoordinationRefusal.EXPULSION_OUTDATED, expel);
    log.refuses(CoordinationRefusal.EXPULSION_OUTDATED, new CoordinationCommand.Expel(Set.of()));
  }

  @Test
  void an_expelled_node_leaves_its_shards_uncertain() {
    log.acquire(node(6), 1, 1);
    cut(1, 6);
    EndedSession ended = AppliedLog.ended(log.apply(log.state.expulsion())).get(0);
    assertEquals(Cause.EXPELLED, ended.cause());
    assertEquals(Optional.empty(), log.state.owner(ShardId.of(1)));
    assertEquals(2_000, log.state.uncertain(ShardId.of(1)).orElseThrow().ttlMs());
    expels();
  }

  @Test
  void a_view_holds_only_who_lives() {
    cut(1, 6);
    log.apply(new CoordinationCommand.CloseSession(node(6)));
    assertEquals(Set.of(), log.state.session(node(1)).orElseThrow().unreachable());
    log.apply(
        new CoordinationCommand.ReportReachability(
            node(1), Set.of(node(6), node(1), new SessionId(-4))));
    assertEquals(Set.of(), log.state.session(node(1)).orElseThrow().unreachable());
  }

  private static SessionId joinedService(AppliedLog at, long member) {
    SessionId service = at.openService(member);
    at.join(service);
    return service;
  }

  private void expels(Integer... members) {
    assertEquals(
        Set.copyOf(List.of(members).stream().map(this::node).toList()),
        log.state.expulsion().sessions());
  }

  private void cut(int from, int other) {
    Set<SessionId> more = new HashSet<>(log.state.session(node(from)).orElseThrow().unreachable());
    more.add(node(other));
    log.apply(new CoordinationCommand.ReportReachability(node(from), more));
  }

  private SessionId node(int member) {
    return nodes.get(member - 1);
  }
}
