package io.holdfast.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rules of docs/protocol.md for the session and its streams, one by one. */
final class SessionStreamsTest extends CoreByHand {

  @Test
  void a_session_is_opened_by_a_frame_without_operations() {
    attempt("k");
    List<Effect> effects = after(0);
    assertEquals(1, effects.size(), "at one node");
    SessionRequest first = ((Effect.Open) effects.get(0)).first();
    assertEquals(TTL, first.getOpen().getTtlMs());
    assertEquals(0, first.getOperationsCount());
    frame(0, opened());
    List<Effect> then = after(0);
    assertEquals(1, sentTo(0, then).size());
    assertTrue(
        then.stream()
            .anyMatch(
                effect ->
                    effect instanceof Effect.Open open
                        && open.first().getOpen().getSessionId() == 77),
        "and a stream to the other");
  }

  @Test
  void an_opening_counts_from_its_first_frame_after_a_pause_too() {
    attempt("k");
    after(0);
    long sent = now;
    after(4_000);
    frame(0, opened());
    Operation lock = sentTo(0, effects()).get(0);
    frame(0, answer(lock.getNumber(), grant(5)));
    assertEquals(
        DeadlineRules.deadline(sent, TTL), granted.get(0).validity().deadlineNanos(), "D9");
  }

  private static List<Integer> openedAt(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Open.class::isInstance)
        .map(effect -> ((Effect.Open) effect).node())
        .toList();
  }

  @Test
  void a_node_that_is_silent_holds_up_the_session_for_a_moment() {
    attempt("k");
    assertEquals(List.of(0), openedAt(after(0)));
    assertEquals(List.of(), openedAt(after(290)));
    assertEquals(List.of(1), openedAt(after(10)));
    frame(1, opened());
    assertEquals(1, sentTo(1, effects()).size());
  }

  @Test
  void a_session_is_being_opened_at_three_nodes_at_most() {
    core.learn("c:1", now);
    core.learn("d:1", now);
    Set<Integer> out = new HashSet<>();
    Set<Integer> asked = new HashSet<>();
    int most = 0;
    for (int i = 0; i < 200; i++) {
      for (Effect effect : after(100)) {
        if (effect instanceof Effect.End end) {
          out.remove(end.node());
        } else if (effect instanceof Effect.Open open) {
          assertTrue(out.add(open.node()));
          asked.add(open.node());
          most = Math.max(most, out.size());
        }
      }
    }
    assertEquals(3, most);
    assertEquals(Set.of(0, 1, 2, 3), asked);
  }

  /** The second node makes the session; the first one, which was asked before, opens another. */
  private Validity openTwice() {
    attempt("k");
    after(0);
    after(300);
    frame(1, opened());
    frame(1, answer(sentTo(1, effects()).get(0).getNumber(), grant(5)));
    after(100);
    frame(0, opened(78, 6 * TTL));
    return granted.get(0).validity();
  }

  @Test
  void a_second_session_is_closed_and_leaves_the_first_alone() {
    Validity validity = openTwice();
    assertEquals(DeadlineRules.deadline(now - 100 * MILLI, TTL), validity.deadlineNanos());
    List<Effect> effects = after(0);
    assertEquals(1, effects.size(), effects::toString);
    Effect.Send close = (Effect.Send) effects.get(0);
    assertEquals(0, close.node());
    assertTrue(close.frame().getClose());
    attempt("other");
    frame(0, answer(sentTo(1, effects()).get(0).getNumber(), grant(6)));
    assertEquals(1, granted.size(), "by another session");
    frame(0, SessionResponse.newBuilder().setClosed(true));
    Effect.Open again =
        (Effect.Open) after(0).stream().filter(Effect.Open.class::isInstance).findFirst().get();
    assertEquals(0, again.node());
    assertEquals(77, again.first().getOpen().getSessionId());
    frame(0, opened());
    assertEquals(List.of(), told);
    assertTrue(validity.isSureAt(now));
  }

  @Test
  void a_stream_of_the_session_is_not_one_of_another() {
    Validity validity = openTwice();
    long deadline = validity.deadlineNanos();
    frame(1, opened(79, 6 * TTL));
    assertEquals(deadline, validity.deadlineNanos());
    core.onEnded(1, streams[1], sessionNotFound(), "gone", now);
    assertEquals(List.of("lost SESSION_ENDED"), told);
  }

  @Test
  void a_second_session_that_ended_takes_nothing_with_it() {
    Validity validity = openTwice();
    core.onEnded(0, streams[0], sessionNotFound(), "gone", now);
    after(100);
    assertEquals(List.of(), told);
    assertTrue(validity.isSureAt(now));
  }

  @Test
  void a_second_session_that_is_not_heard_of_again_is_left() {
    openTwice();
    List<Effect> effects = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      effects.addAll(after(100));
      frame(1, SessionResponse.newBuilder());
    }
    assertTrue(effects.stream().anyMatch(it -> it instanceof Effect.End end && end.node() == 0));
  }

  @Test
  void without_any_stream_nothing_spins() {
    open();
    core.onEnded(0, streams[0], null, "gone", now);
    core.onEnded(1, streams[1], null, "gone", now);
    for (int i = 0; i < 200; i++) {
      after(100);
      assertTrue(core.nextTick(now) - now >= MILLI);
    }
  }

  @Test
  void a_keepalive_counts_from_its_sending_and_spreads_if_overdue() {
    open();
    attempt("k");
    effects();
    frame(0, answer(1, grant(5)));
    long opened = now;
    List<SessionRequest> first = keepAlives(after(TTL / 3 + 1));
    assertEquals(1, first.size());
    long sent = now;
    frame(0, SessionResponse.newBuilder()); // alive, and silent about the lease
    frame(1, SessionResponse.newBuilder());
    assertEquals(2, keepAlives(after(400)).size());
    Validity validity = granted.get(0).validity();
    assertEquals(DeadlineRules.deadline(opened, TTL), validity.deadlineNanos());
    frame(0, SessionResponse.newBuilder().setKeepAliveNumber(1).setGrantedTtlMs(TTL));
    assertEquals(DeadlineRules.deadline(sent, TTL), validity.deadlineNanos(), "D3");
  }

  @Test
  void a_silent_node_is_probed_and_left_unless_the_client_paused() {
    open();
    attempt("k");
    effects();
    after(200);
    Operation probe = sentTo(0, after(200)).get(0);
    assertTrue(probe.getGetLock().getSerializable(), "S1");
    List<Effect> late = after(5_000);
    assertFalse(late.stream().anyMatch(Effect.End.class::isInstance), "S3");
    List<Effect> then = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      then.addAll(after(100));
    }
    assertTrue(
        then.stream().anyMatch(effect -> effect instanceof Effect.End end && end.broken()), "S2");
    assertEquals("k", sentTo(1, then).get(0).getLock().getKey(), "O5");
  }

  @Test
  void a_close_that_was_lost_with_its_stream_goes_out_on_another() {
    open();
    core.close(now);
    List<Effect> effects = after(0);
    assertTrue(
        effects.stream()
            .anyMatch(e -> e instanceof Effect.Send s && s.node() == 0 && s.frame().getClose()));
    core.onEnded(0, streams[0], null, "killed", now);
    List<Effect> then = new ArrayList<>(effects());
    for (int i = 0; i < 10; i++) {
      then.addAll(after(100));
    }
    assertTrue(
        core.isClosed()
            || then.stream().anyMatch(e -> e instanceof Effect.Send s && s.frame().getClose()));
  }

  private static Refusal wrongCluster() {
    return Refusal.newBuilder()
        .setReason(Reason.REASON_WRONG_CLUSTER)
        .setEffect(io.holdfast.v1.Effect.EFFECT_NONE)
        .build();
  }

  /** Both streams, and with them the session, are gone; the first node is asked again. */
  @Test
  void the_node_that_ended_the_session_is_asked_for_the_next() {
    open();
    core.onEnded(1, streams[1], null, "gone", now);
    for (int i = 0; i < 3; i++) {
      after(1_000);
      core.onEnded(1, streams[1], null, "gone", now);
    }
    core.onEnded(0, streams[0], null, "gone", now);
    after(1_000); // both are tried, and the first, which may be dead, says nothing
    Refusal ended = Refusal.newBuilder().setReason(Reason.REASON_SESSION_NOT_FOUND).build();
    core.onEnded(1, streams[1], ended, "the session has ended", now);
    List<String> opened =
        after(0).stream()
            .filter(Effect.Open.class::isInstance)
            .map(effect -> ((Effect.Open) effect).endpoint())
            .toList();
    assertEquals(List.of("b:1"), opened);
  }

  private void loseSession() {
    core.onEnded(1, streams[1], null, "gone", now);
    core.onEnded(0, streams[0], sessionNotFound(), "gone", now);
  }

  private static Refusal sessionNotFound() {
    return Refusal.newBuilder()
        .setReason(Reason.REASON_SESSION_NOT_FOUND)
        .setEffect(io.holdfast.v1.Effect.EFFECT_NONE)
        .build();
  }

  @Test
  void another_clusters_address_is_left_while_there_is_one_of_ours() {
    open();
    loseSession();
    attempt("k");
    int refused = 0;
    for (int i = 0; i < 30 && sentTo(1, effects()).isEmpty(); i++) {
      for (Effect effect : after(100)) {
        if (effect instanceof Effect.Open open && open.node() == 0) {
          refused++;
          core.onEnded(0, open.stream(), wrongCluster(), "", now);
        } else if (effect instanceof Effect.Open && refused > 0) {
          frame(1, opened());
          Operation lock = sentTo(1, effects()).get(0);
          assertEquals("k", lock.getLock().getKey());
          assertEquals(List.of(), told, "S7");
          return;
        } else if (effect instanceof Effect.Open open) {
          core.onEnded(1, open.stream(), null, "not there yet", now);
        }
      }
    }
    throw new AssertionError("not asked at the other address: " + told);
  }

  @Test
  void addresses_of_another_cluster_only_leave_nothing_to_ask() {
    open();
    loseSession();
    attempt("k");
    for (int i = 0; i < 30 && told.isEmpty(); i++) {
      for (Effect effect : after(100)) {
        if (effect instanceof Effect.Open open) {
          core.onEnded(open.node(), open.stream(), wrongCluster(), "", now);
        }
      }
    }
    assertTrue(told.toString().contains("REASON_WRONG_CLUSTER"), told::toString);
    assertEquals(1, told.size());
  }

  @Test
  void an_answer_on_a_stream_that_was_left_does_not_count() {
    open();
    core.onEnded(1, streams[1], null, "gone", now);
    attempt("k");
    effects();
    long left = streams[0];
    core.onEnded(0, left, null, "gone", now);
    after(1_000);
    frame(0, opened());
    assertEquals(1, sentTo(0, effects()).size(), "sent again on the next stream");
    core.onFrame(0, left, answer(1, grant(5)).build(), now);
    assertTrue(granted.isEmpty());
    frame(0, answer(1, grant(5)));
    assertEquals(1, granted.size());
  }
}
