package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests that one Akka cluster is formed, and never two. */
class FormationTest {

  private final AppliedLog log = AppliedLog.founded(3);
  private final SessionId anna = log.open(1, 1);
  private final SessionId bert = log.open(2, 1);

  @Test
  void the_first_forms_and_the_others_do_not() {
    form(anna);
    assertTrue(log.state.session(anna).orElseThrow().isJoined());
    log.refuses(CoordinationRefusal.ALREADY_FORMED, log.forming(bert));
    log.refuses(CoordinationRefusal.ALREADY_FORMED, log.forming(anna));
  }

  @Test
  void a_service_forms_nothing_and_a_cluster_lives_on_with_it() {
    SessionId service = log.openService(9);
    log.refuses(CoordinationRefusal.NOT_A_SHARD_HOST, log.forming(service));
    form(anna);
    log.join(service);
    log.apply(new CoordinationCommand.CloseSession(anna));
    log.refuses(CoordinationRefusal.ALREADY_FORMED, log.forming(bert));
  }

  @Test
  void a_cluster_lives_on_with_whoever_has_joined_it() {
    form(anna);
    log.join(bert);
    log.apply(new CoordinationCommand.CloseSession(anna));
    SessionId carl = log.open(3, 1);
    log.refuses(CoordinationRefusal.ALREADY_FORMED, log.forming(carl));
  }

  @Test
  void a_cluster_is_formed_anew_when_nobody_is_left_of_the_last() {
    FormationId first = form(anna);
    log.apply(new CoordinationCommand.ExpireSession(anna, 0));
    FormationId second = form(bert);
    assertTrue(second.value() > first.value());
  }

  @Test
  void a_node_of_a_replaced_cluster_has_not_joined() {
    FormationId first = form(anna);
    log.apply(new CoordinationCommand.ExpireSession(anna, 0));
    form(log.open(3, 1));
    log.refuses(
        CoordinationRefusal.OTHER_FORMATION, new CoordinationCommand.MarkJoined(bert, first));
    assertTrue(!log.state.session(bert).orElseThrow().isJoined());
  }

  @Test
  void a_late_forming_leaves_its_node_in_the_cluster_it_joined() {
    CoordinationCommand late = log.forming(bert);
    form(anna);
    log.refuses(CoordinationRefusal.ALREADY_FORMED, late); // so bert joins anna, in Akka
    log.apply(new CoordinationCommand.ExpireSession(anna, 0));
    log.refuses(CoordinationRefusal.JOINED_MEANWHILE, late);
  }

  @Test
  void nobody_joins_before_a_cluster_is_formed() {
    log.refuses(
        CoordinationRefusal.OTHER_FORMATION,
        new CoordinationCommand.MarkJoined(bert, FormationId.NONE));
  }

  @Test
  void the_dead_neither_form_nor_join() {
    log.apply(new CoordinationCommand.CloseSession(anna));
    log.refuses(CoordinationRefusal.NO_SUCH_SESSION, log.forming(anna));
    FormationId formation = form(bert);
    log.refuses(
        CoordinationRefusal.NO_SUCH_SESSION, new CoordinationCommand.MarkJoined(anna, formation));
  }

  private FormationId form(SessionId session) {
    CoordinationVerdict verdict = log.apply(log.forming(session));
    assertEquals(new CoordinationVerdict.Joined(session, log.state.formation()), verdict);
    return log.state.formation();
  }
}
