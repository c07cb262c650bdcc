package holdfast.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.v1.Answer;
import holdfast.v1.Header;
import holdfast.v1.LockResponse;
import holdfast.v1.Operation;
import holdfast.v1.OwnerHint;
import holdfast.v1.RenewResponse;
import holdfast.v1.SessionOpened;
import holdfast.v1.SessionRequest;
import holdfast.v1.SessionResponse;
import holdfast.v1.ShardHash;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rules of docs/protocol.md, one by one, by the frames that come of them. */
final class SessionCoreTest {

  private static final long MILLI = 1_000_000;
  private static final long TTL = 10_000;

  private long now = Long.MAX_VALUE - 3_000 * MILLI; // overflows soon
  private final SessionCore core =
      new SessionCore(
          SessionTerms.of("c", TTL),
          List.of("a:1", "b:1"),
          new SplittableRandom(1),
          Long.MAX_VALUE - 3_000 * MILLI);
  private final long[] streams = new long[2];
  private final List<HeldGrant> granted = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  private final Wish.Listener listener =
      new Wish.Listener() {
        @Override
        public void granted(HeldGrant grant) {
          granted.add(grant);
          grant.onLost(reason -> told.add("lost " + reason));
        }

        @Override
        public void notAcquired(String why) {
          told.add(why);
        }

        @Override
        public void failed(Failure failure) {
          told.add(failure.toString());
        }
      };

  private List<Effect> after(long millis) {
    now += millis * MILLI;
    core.onTick(now);
    return effects();
  }

  private List<Effect> effects() {
    List<Effect> effects = core.effects(now);
    for (Effect effect : effects) {
      if (effect instanceof Effect.Open open) {
        streams[open.node()] = open.stream();
      }
    }
    return effects;
  }

  private static List<Operation> sentTo(int node, List<Effect> effects) {
    return effects.stream()
        .filter(effect -> effect instanceof Effect.Send send && send.node() == node)
        .flatMap(effect -> ((Effect.Send) effect).frame().getOperationsList().stream())
        .toList();
  }

  private static List<SessionRequest> keepAlives(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((Effect.Send) effect).frame())
        .filter(frame -> frame.getKeepAliveNumber() > 0)
        .toList();
  }

  private void frame(int node, SessionResponse.Builder frame) {
    core.onFrame(
        node,
        streams[node],
        frame.setHeader(Header.newBuilder().setMemberId(node + 1L)).build(),
        now);
  }

  private static SessionResponse.Builder opened() {
    return SessionResponse.newBuilder()
        .setOpened(
            SessionOpened.newBuilder()
                .setSessionId(77)
                .setGrantedTtlMs(TTL)
                .setMaxOpenOperations(10)
                .setShardCount(1)
                .setShardHash(ShardHash.SHARD_HASH_CRC32C));
  }

  private static SessionResponse.Builder answer(long number, LockResponse.Builder lock) {
    return SessionResponse.newBuilder()
        .addAnswers(Answer.newBuilder().setNumber(number).setLock(lock));
  }

  private static LockResponse.Builder grant(long token) {
    return LockResponse.newBuilder()
        .setAcquired(true)
        .setHeldNow(true)
        .setFencingToken(token)
        .setGrantedTtlMs(TTL);
  }

  private Wish wish(String key) {
    return core.acquire(new Wish.Terms(key, "h", 0, -1), listener, now);
  }

  /** Opens the session at the first node, and a stream at the second, all within a moment. */
  private void open() {
    after(0);
    frame(0, opened());
    after(0);
    frame(1, opened());
    effects();
  }

  @Test
  void a_session_is_opened_by_a_frame_without_operations() {
    wish("k");
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
  void an_opening_counts_from_its_first_frame_also_if_the_client_was_stopped_since() {
    wish("k");
    after(0);
    long sent = now;
    after(4_000);
    frame(0, opened());
    Operation lock = sentTo(0, effects()).get(0);
    frame(0, answer(lock.getNumber(), grant(5)));
    assertEquals(
        DeadlineRules.deadline(sent, TTL), granted.get(0).validity().deadlineNanos(), "D9");
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
  void a_keepalive_counts_from_its_own_sending_and_goes_everywhere_when_it_is_overdue() {
    open();
    wish("k");
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
  void a_grant_that_was_lost_stays_lost_and_is_given_back() {
    open();
    wish("k");
    effects();
    frame(0, answer(1, grant(5)));
    after(TTL / 3 + 1);
    now += TTL * MILLI;
    frame(0, SessionResponse.newBuilder().setKeepAliveNumber(1).setGrantedTtlMs(2 * TTL));
    assertEquals(List.of("lost DEADLINE_PASSED"), told, "D8");
    assertTrue(effects().toString().contains("unlock"));
  }

  @Test
  void a_grant_after_waiting_is_held_when_its_renewal_says_so() {
    open();
    wish("k");
    effects();
    frame(0, answer(1, LockResponse.newBuilder().setQueued(true)));
    assertTrue(effects().isEmpty());
    frame(0, answer(1, grant(5).setWaited(true)));
    assertTrue(granted.isEmpty(), "D6");
    Operation renew = sentTo(0, effects()).get(0);
    assertEquals(5, renew.getRenew().getFencingToken());
    frame(
        0,
        SessionResponse.newBuilder()
            .addAnswers(
                Answer.newBuilder()
                    .setNumber(renew.getNumber())
                    .setRenew(RenewResponse.newBuilder().setHeldNow(true).setFencingToken(5))));
    assertEquals(1, granted.size());
  }

  @Test
  void a_grant_that_comes_too_late_is_released_and_asked_for_again() {
    open();
    core.acquire(new Wish.Terms("k", "h", /* ownTtlMillis= */ 500, -1), listener, now);
    effects();
    now += 450 * MILLI;
    frame(0, answer(1, grant(5).setGrantedTtlMs(500)));
    assertTrue(granted.isEmpty(), "D7");
    List<Operation> then = sentTo(0, effects());
    assertEquals(5, then.get(0).getUnlock().getFencingToken());
    assertTrue(then.get(1).hasLock());
  }

  @Test
  void a_lock_request_of_unknown_outcome_is_followed_by_a_cancel_of_its_number() {
    open();
    core.acquire(new Wish.Terms("k", "h", 0, 0), listener, now);
    effects();
    for (int i = 0; i < 110; i++) {
      frame(0, SessionResponse.newBuilder()); // alive, and silent about the lock
      frame(1, SessionResponse.newBuilder());
      for (Operation sent : sentTo(0, after(100))) {
        if (sent.hasCancel()) {
          assertEquals(1, sent.getCancel().getLockNumber(), "O7");
          assertTrue(told.get(0).startsWith("Indeterminate"), told::toString);
          return;
        }
      }
    }
    throw new AssertionError("no cancel: " + told);
  }

  @Test
  void operations_go_to_the_owner_unless_one_of_their_key_is_undecided_elsewhere() {
    open();
    wish("k");
    assertEquals(1, sentTo(0, effects()).size(), "nobody has said who owns it");
    frame(
        0,
        SessionResponse.newBuilder()
            .addOwners(OwnerHint.newBuilder().setMemberId(2).setShard(0).setEpoch(3)));
    wish("k");
    wish("other");
    List<Effect> effects = effects();
    assertEquals("k", sentTo(0, effects).get(0).getLock().getKey(), "O4");
    assertEquals("other", sentTo(1, effects).get(0).getLock().getKey(), "O3");
    frame(0, answer(1, LockResponse.newBuilder().setQueued(true)));
    frame(0, answer(2, LockResponse.newBuilder().setQueued(true)));
    wish("k");
    assertEquals(1, sentTo(1, effects()).size(), "what waits is decided");
  }

  @Test
  void what_was_open_on_a_stream_that_ends_is_sent_elsewhere_in_its_order() {
    open();
    wish("k");
    wish("l");
    wish("k");
    List<Operation> before = sentTo(0, effects());
    frame(0, answer(1, LockResponse.newBuilder().setQueued(true)));
    core.onEnded(0, streams[0], null, "gone", now);
    assertEquals(before, sentTo(1, effects()), "O1, O5");
    frame(1, answer(1, grant(5).setRepeated(true)));
    assertTrue(granted.isEmpty(), "D6");
  }

  @Test
  void a_silent_node_is_probed_and_left_but_not_by_a_client_that_was_stopped_itself() {
    open();
    wish("k");
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
  void the_lowest_open_number_waits_for_what_refers_to_it() {
    open();
    Wish wish = wish("k");
    effects();
    core.cancel(wish, now);
    Operation cancel = sentTo(0, effects()).get(0);
    assertEquals(1, cancel.getCancel().getLockNumber(), "O8");
    frame(0, answer(1, LockResponse.newBuilder()));
    wish("l");
    Effect.Send send = (Effect.Send) effects().get(0);
    assertEquals(1, send.frame().getLowestOpenNumber(), "O2");
  }

  @Test
  void a_wish_that_was_never_sent_is_given_up_without_a_word() {
    Wish wish = wish("k");
    after(0);
    core.cancel(wish, now);
    frame(0, opened());
    assertEquals(List.of(), sentTo(0, after(0)));
  }

  private static SessionResponse.Builder forgotten(long number) {
    return SessionResponse.newBuilder()
        .addAnswers(
            Answer.newBuilder()
                .setNumber(number)
                .setRefused(
                    holdfast.v1.Refusal.newBuilder()
                        .setReason(holdfast.v1.Reason.REASON_REQUEST_FORGOTTEN)
                        .setEffect(holdfast.v1.Effect.EFFECT_UNKNOWN)));
  }

  @Test
  void a_lock_request_that_the_server_has_forgotten_is_asked_anew() {
    open();
    wish("k");
    Operation first = sentTo(0, effects()).get(0);
    core.onEnded(0, streams[0], null, "gone", now);
    assertEquals(List.of(first), sentTo(1, effects()), "O5");
    frame(1, forgotten(first.getNumber()));
    assertEquals(List.of(), told, "the user is not told of numbers");
    assertTrue(sentTo(1, effects()).get(0).hasLock());
  }

  @Test
  void a_release_whose_outcome_is_forgotten_is_not_told_to_be_without_effect() {
    open();
    wish("k");
    effects();
    frame(0, answer(1, grant(5)));
    core.release(
        granted.get(0),
        new SessionCore.Release() {
          @Override
          public void released(boolean wasHeld) {
            told.add("released " + wasHeld);
          }

          @Override
          public void failed(Failure failure) {
            told.add(failure.toString());
          }
        },
        now);
    Operation unlock = sentTo(0, effects()).get(0);
    core.onEnded(0, streams[0], null, "gone", now);
    effects();
    frame(1, forgotten(unlock.getNumber()));
    assertFalse(told.toString().contains("Refused"), told::toString);
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
}
