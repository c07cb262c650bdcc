package io.holdfast.coordination.state;

import static io.holdfast.coordination.state.AppliedLog.ended;
import static io.holdfast.coordination.state.AppliedLog.opened;
import static io.holdfast.coordination.state.AppliedLog.opening;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.state.EndedSession.Cause;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how node sessions begin, live on, and end. */
class SessionsTest {

  private static final List<ShardTerms> OTHER_TERMS =
      List.of(
          ShardTerms.of(AppliedLog.SHARDS - 1),
          ShardTerms.of(AppliedLog.SHARDS + 1),
          ShardTerms.of(0),
          new ShardTerms(AppliedLog.SHARDS, ShardTerms.CRC_32C + 1),
          new ShardTerms(0, 0));

  private final AppliedLog log = AppliedLog.founded(3);

  @Test
  void nothing_is_done_before_the_cluster_is_founded() {
    new AppliedLog().refuses(CoordinationRefusal.NOT_FOUNDED, opening(1, 1));
  }

  @Test
  void a_cluster_is_founded_once() {
    log.refuses(
        CoordinationRefusal.ALREADY_FOUNDED, new CoordinationCommand.Found(78, 9, List.of()));
    assertEquals(77, log.state.clusterId());
    assertEquals(AppliedLog.SHARDS, log.state.shards());
    assertEquals(3, log.state.members().size());
  }

  @Test
  void a_session_lives_from_its_opening_to_its_close() {
    SessionId session = log.open(1, 1);
    assertEquals(0, log.state.session(session).orElseThrow().renewal());
    List<EndedSession> ended = ended(log.apply(new CoordinationCommand.CloseSession(session)));
    assertEquals(Cause.CLOSED, ended.get(0).cause());
    assertEquals("akka://holdfast@host:1", ended.get(0).session().akkaAddress());
    assertTrue(log.state.sessions().isEmpty());
  }

  @Test
  void a_node_says_where_clients_reach_it_and_the_last_word_counts() {
    SessionId session = log.open(1, 1);
    assertEquals("", log.state.session(session).orElseThrow().endpoint());
    log.apply(new CoordinationCommand.AnnounceEndpoint(session, "one:7400"));
    log.apply(new CoordinationCommand.AnnounceEndpoint(session, "two:7400"));
    log.renew(session, 1);
    assertEquals("two:7400", log.state.session(session).orElseThrow().endpoint());
    assertTrue(opened(log.apply(opening(1, 1))).repeated());
    log.refuses(
        CoordinationRefusal.OUT_OF_BOUND,
        new CoordinationCommand.AnnounceEndpoint(session, "not an address"));
    log.refuses(
        CoordinationRefusal.NO_SUCH_SESSION,
        new CoordinationCommand.AnnounceEndpoint(SessionId.NONE, "one:7400"));
    SessionId next = log.open(1, 2);
    assertEquals("", log.state.session(next).orElseThrow().endpoint());
  }

  @Test
  void later_sessions_have_greater_ids() {
    SessionId first = log.open(1, 1);
    SessionId second = log.open(2, 1);
    SessionId third = log.open(1, 2);
    assertTrue(first.compareTo(second) < 0 && second.compareTo(third) < 0);
  }

  @Test
  void an_opening_that_is_repeated_finds_its_session() {
    SessionId session = log.open(1, 1);
    CoordinationVerdict.Opened again = opened(log.apply(opening(1, 1)));
    assertTrue(again.repeated());
    assertEquals(session, again.session().id());
  }

  @Test
  void an_incarnation_opens_no_second_session_with_other_words() {
    log.open(1, 1);
    log.refuses(
        CoordinationRefusal.INCARNATION_REUSED,
        new CoordinationCommand.OpenSession(
            new NodeId(1),
            1,
            "akka://holdfast@host:9",
            1,
            AppliedLog.HOST,
            AppliedLog.TTL_MS,
            AppliedLog.TERMS));
  }

  @Test
  void a_node_that_spreads_keys_in_another_way_gets_no_session() {
    for (ShardTerms other : OTHER_TERMS) {
      log.refuses(CoordinationRefusal.OTHER_TERMS, opening(1, 1, other));
    }
    assertEquals(List.of(), log.state.sessions());
    log.open(1, 1);
  }

  @Test
  void an_opening_with_other_terms_does_not_end_the_one_before() {
    SessionId before = log.open(1, 1);
    for (ShardTerms other : OTHER_TERMS) {
      log.refuses(CoordinationRefusal.OTHER_TERMS, opening(1, 2, other));
      log.refuses(CoordinationRefusal.OTHER_TERMS, opening(1, 1, other));
    }
    assertTrue(log.state.session(before).isPresent());
  }

  @Test
  void a_service_that_spreads_keys_in_another_way_gets_no_session() {
    CoordinationCommand.OpenSession service = AppliedLog.serviceOpening(9);
    for (ShardTerms other : OTHER_TERMS) {
      log.refuses(
          CoordinationRefusal.OTHER_TERMS,
          new CoordinationCommand.OpenSession(
              service.member(), 1, service.akkaAddress(), 9, Set.of(), 2_000, other));
    }
  }

  @Test
  void a_new_incarnation_ends_the_old_at_once() {
    SessionId old = log.open(1, 1);
    log.acquire(old, 0, 1);
    CoordinationVerdict.Opened opened = opened(log.apply(opening(1, 2)));
    assertEquals(Cause.REPLACED, opened.ended().get(0).cause());
    assertEquals(List.of(ShardId.of(0)), opened.ended().get(0).shards());
    assertEquals(List.of(opened.session()), log.state.sessions());
    assertTrue(log.state.owner(ShardId.of(0)).isEmpty());
  }

  @Test
  void a_dead_incarnation_never_revives() {
    SessionId expired = log.open(1, 5);
    log.apply(new CoordinationCommand.ExpireSession(expired, 0));
    log.refuses(CoordinationRefusal.DEAD_INCARNATION, opening(1, 5));
    log.refuses(CoordinationRefusal.DEAD_INCARNATION, opening(1, 4));
    log.open(1, 6);
    log.refuses(CoordinationRefusal.DEAD_INCARNATION, opening(1, 5));
    log.refuses(
        CoordinationRefusal.NO_SUCH_SESSION, new CoordinationCommand.RenewSession(expired, 1));
  }

  @Test
  void a_renewal_that_is_sent_again_is_acknowledged_again() {
    SessionId session = log.open(1, 1);
    log.renew(session, 1);
    log.renew(session, 1);
    assertEquals(1, log.state.session(session).orElseThrow().renewal());
  }

  @Test
  void a_renewal_that_was_overtaken_is_refused() {
    SessionId session = log.open(1, 1);
    log.renew(session, 7);
    log.refuses(CoordinationRefusal.OLD_RENEWAL, new CoordinationCommand.RenewSession(session, 6));
  }

  @Test
  void a_session_that_was_renewed_meanwhile_does_not_expire() {
    SessionId session = log.open(1, 1);
    log.renew(session, 1);
    log.refuses(
        CoordinationRefusal.RENEWED_MEANWHILE, new CoordinationCommand.ExpireSession(session, 0));
    log.refuses(
        CoordinationRefusal.RENEWED_MEANWHILE, new CoordinationCommand.ExpireEarly(session, 0));
    assertEquals(
        Cause.EXPIRED,
        ended(log.apply(new CoordinationCommand.ExpireSession(session, 1))).get(0).cause());
  }

  @Test
  void services_leave_room_for_nodes() {
    for (int service = 1; service <= CoordinationBounds.MAX_SERVICES; service++) {
      log.openService(1_000 + service);
    }
    log.refuses(CoordinationRefusal.SESSIONS_FULL, AppliedLog.serviceOpening(5_000));
    for (int node = 1;
        node <= CoordinationBounds.MAX_SESSIONS - CoordinationBounds.MAX_SERVICES;
        node++) {
      log.open(node, 1);
    }
    log.refuses(CoordinationRefusal.SESSIONS_FULL, opening(6_000, 1));
  }

  @Test
  void a_service_does_not_take_the_place_of_a_node() {
    SessionId configured = log.open(1, 1);
    SessionId host = log.open(9, 1); // of no part in the log
    for (long member : List.of(1L, 2L, 9L)) { // 2 had no session yet
      log.refuses(CoordinationRefusal.MEMBER_IS_A_NODE, serviceOpening(member, 2));
    }
    assertTrue(log.state.session(configured).isPresent());
    assertTrue(log.state.session(host).isPresent());
    log.apply(new CoordinationCommand.CloseSession(host));
    log.refuses(CoordinationRefusal.MEMBER_IS_A_NODE, serviceOpening(9, 2));
    log.open(9, 2);
  }

  @Test
  void a_later_process_of_a_service_replaces_it_and_follows_it() {
    log.openService(1_000);
    SessionId second = opened(log.apply(serviceOpening(1_000, 2))).session().id();
    log.apply(new CoordinationCommand.CloseSession(second));
    assertTrue(opened(log.apply(serviceOpening(1_000, 3))).ended().isEmpty());
  }

  @Test
  void only_the_oldest_ended_services_are_forgotten() {
    SessionId node = log.open(1, 1);
    log.apply(new CoordinationCommand.CloseSession(node));
    SessionId living = log.openService(9_000);
    for (int service = 0; service < CoordinationBounds.MAX_KNOWN_SERVICES; service++) {
      log.apply(new CoordinationCommand.CloseSession(log.openService(10_000 + service)));
    }
    log.refuses(CoordinationRefusal.DEAD_INCARNATION, AppliedLog.opening(1, 1));
    log.refuses(CoordinationRefusal.DEAD_INCARNATION, AppliedLog.serviceOpening(10_001));
    assertTrue(log.state.session(living).isPresent());
    log.openService(10_000); // which is somebody else by now
  }

  private static CoordinationCommand.OpenSession serviceOpening(long member, long incarnation) {
    return new CoordinationCommand.OpenSession(
        new NodeId(member),
        incarnation,
        "akka://holdfast@service:" + member,
        member,
        Set.of(),
        AppliedLog.TTL_MS,
        AppliedLog.TERMS);
  }

  @Test
  void nobody_is_forgotten_while_alive() {
    SessionId session = log.open(9, 4);
    CoordinationCommand forget = new CoordinationCommand.ForgetMember(new NodeId(9));
    log.refuses(CoordinationRefusal.MEMBER_LIVES, forget);
    log.apply(new CoordinationCommand.CloseSession(session));
    log.apply(forget);
    log.refuses(CoordinationRefusal.NO_SUCH_MEMBER, forget);
  }

  @Test
  void an_opening_out_of_bound_is_refused() {
    Set<NodeRole> host = AppliedLog.HOST;
    String address = "akka://holdfast@host:1";
    for (CoordinationCommand garbage :
        List.of(
            new CoordinationCommand.OpenSession(
                new NodeId(0), 1, address, 1, host, 2_000, AppliedLog.TERMS),
            new CoordinationCommand.OpenSession(
                new NodeId(1), 0, address, 1, host, 2_000, AppliedLog.TERMS),
            new CoordinationCommand.OpenSession(
                new NodeId(1), 1L << 31, address, 1, host, 2_000, AppliedLog.TERMS),
            new CoordinationCommand.OpenSession(
                new NodeId(1), 1, "", 1, host, 2_000, AppliedLog.TERMS),
            new CoordinationCommand.OpenSession(
                new NodeId(1), 1, "\ud800", 1, host, 2_000, AppliedLog.TERMS),
            new CoordinationCommand.OpenSession(
                new NodeId(1),
                1,
                "a".repeat(CoordinationBounds.MAX_ADDRESS_LENGTH + 1),
                1,
                host,
                2_000,
                AppliedLog.TERMS),
            new CoordinationCommand.OpenSession(
                new NodeId(1), 1, address, 1, host, 0, AppliedLog.TERMS),
            new CoordinationCommand.OpenSession(
                new NodeId(1), 1, address, 1, host, 60_001, AppliedLog.TERMS),
            new CoordinationCommand.Configure(
                List.of(new ConfiguredMember(new NodeId(-1), "host:1", host))),
            new CoordinationCommand.RaiseGeneration(1 << 16))) {
      log.refuses(CoordinationRefusal.OUT_OF_BOUND, garbage);
    }
    for (int shards : List.of(-1, 0, CoordinationBounds.MAX_SHARDS + 1)) {
      CoordinationCommand found = new CoordinationCommand.Found(1, shards, List.of());
      new AppliedLog().refuses(CoordinationRefusal.OUT_OF_BOUND, found);
    }
  }

  @Test
  void sessions_are_bounded() {
    for (int member = 1; member <= CoordinationBounds.MAX_SESSIONS; member++) {
      log.open(member, 1);
    }
    log.refuses(CoordinationRefusal.SESSIONS_FULL, opening(CoordinationBounds.MAX_SESSIONS + 1, 1));
    log.open(1, 2);
  }

  @Test
  void an_index_does_not_come_twice() {
    CoordinationState state = new CoordinationState();
    state.apply(5, opening(1, 1));
    assertThrows(IllegalStateException.class, () -> state.apply(5, opening(1, 1)));
    assertFalse(state.isFounded());
  }

  @Test
  void a_restore_ends_all_and_raises_all_numbers() {
    SessionId session = log.open(1, 1);
    CoordinationVerdict.Acquired owned = log.acquire(session, 0, 1);
    assertEquals(
        Cause.RESTORED,
        ended(log.apply(new CoordinationCommand.RaiseGeneration(2))).get(0).cause());
    log.refuses(CoordinationRefusal.OLD_GENERATION, new CoordinationCommand.RaiseGeneration(2));
    CoordinationVerdict.Acquired later = log.acquire(log.open(1, 2), 0, 1);
    assertEquals(2, later.epoch().value() >>> 47);
    assertEquals(2, later.block().first() >>> 47);
    assertTrue(later.block().first() > owned.block().last());
    assertTrue(log.state.fence(ShardId.of(1)).value() >>> 47 == 2);
  }
}
