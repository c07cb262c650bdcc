package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.release;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.UsualSettings;
import io.holdfast.id.Revision;
import io.holdfast.journal.LockRecordReader;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.journal.state.Replay;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the actor around the rules: notices, revisions, writes and recovery. */
class LockEntityTest {

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private ActorRef<ShardMessage> lock = world.lock(key);

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_waiter_is_notified_when_the_holder_releases() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    TestProbe<LockAnswer> bert = tell(acquire("bert", 10_000, 60_000));
    bert.expectNoMessage(Duration.ZERO);
    assertEquals(new Outcome.Released(anna, 0, false), outcome(release("r1", anna)));
    assertTrue(acquired(bert).compareTo(anna) > 0);
  }

  @Test
  void a_waiter_gets_its_position_first_if_requested() {
    acquired(tell(acquire("anna", 10_000, 0)));
    TestProbe<LockAnswer> bert = world.tell(lock, acquire("bert", 10_000, 60_000), true);
    assertEquals(
        new Outcome.Waiting(EntityWorld.request("bert").id(), 1), bert.receiveMessage().outcome());
  }

  @Test
  void each_answer_has_the_revision_of_its_own_change() {
    TestProbe<LockAnswer> first = tell(acquire("anna", 10_000, 0));
    LockAnswer granted = first.receiveMessage();
    assertEquals(record().orElseThrow().revision(), granted.revision());
    LockAnswer released =
        tell(release("r1", ((Outcome.Acquired) granted.outcome()).token())).receiveMessage();
    assertEquals(granted.revision().next(), released.revision());
  }

  @Test
  void a_refusal_has_the_revision_of_the_state_it_reflects() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    long held = record().orElseThrow().revision().value();
    List<LockAnswer> told =
        together(
            acquire("early", 10_000, 0),
            new LockCommand.Cancel(EntityWorld.request("nobody").id()), // no public change
            acquire("late", 10_000, 0),
            release("r1", anna),
            acquire("bert", 10_000, 0),
            acquire("last", 10_000, 0));
    assertEquals(
        List.of(held, held, held, held + 1, held + 2, held + 2),
        told.stream().map(answer -> answer.revision().value()).toList());
  }

  private List<LockAnswer> together(LockCommand... commands) {
    TestProbe<LockAnswer> asker = world.kit.createTestProbe(LockAnswer.class);
    List<LockMessage> messages = new ArrayList<>();
    for (LockCommand command : commands) {
      messages.add(new LockMessage.Handle(command, 0, 0, false, asker.getRef()));
    }
    lock.tell(new LockMessage.CommandBatch(messages));
    return asker.receiveSeveralMessages(commands.length);
  }

  @Test
  void refusals_of_one_batch_are_confirmed_together() {
    acquired(tell(acquire("anna", 10_000, 0)));
    int before = world.store.confirmations();
    together(acquire("bert", 10_000, 0), acquire("carl", 10_000, 0), acquire("dora", 10_000, 0));
    assertEquals(1, world.store.confirmations() - before);
  }

  @Test
  void a_grant_and_a_release_need_no_confirmation() {
    int before = world.store.confirmations();
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    tell(release("r1", anna)).receiveMessage();
    assertEquals(before, world.store.confirmations());
  }

  @Test
  void a_repeated_request_is_answered_to_its_last_caller() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    TestProbe<LockAnswer> first = tell(acquire("bert", 10_000, 60_000));
    TestProbe<LockAnswer> second = tell(acquire("bert", 10_000, 60_000));
    tell(release("r1", anna)).receiveMessage();
    acquired(second);
    first.expectNoMessage(Duration.ZERO);
  }

  @Test
  void a_request_repeated_after_its_end_has_no_second_effect() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    assertEquals(new Outcome.Released(anna, 0, false), outcome(release("r1", anna)));
    restart();
    Outcome again = outcome(acquire("anna", 10_000, 0));
    assertTrue(
        again instanceof Outcome.Acquired acquired
            && acquired.token().equals(anna)
            && !acquired.isHeld()
            && acquired.manner() == Outcome.Manner.REPEATED,
        again::toString);
    assertEquals(new Outcome.Released(anna, 0, true), outcome(release("r1", anna)));
    assertTrue(state().isFree());
  }

  @Test
  void a_restart_restores_holder_and_queue() {
    acquired(tell(acquire("anna", 1_000, 0)));
    tell(acquire("bert", 1_000, 60_000));
    awaitQueue(1);
    LockState before = state();
    restart();
    TestProbe<LockAnswer> bert = tell(acquire("bert", 1_000, 60_000));
    tell(release("r1", before.holders().get(0).token())).receiveMessage();
    acquired(bert);
    assertEquals("bert", state().holders().get(0).id().value());
  }

  @Test
  void commands_queued_during_a_write_are_persisted_together() {
    world.store.hold();
    TestProbe<LockAnswer> anna = tell(acquire("anna", 10_000, 0));
    int before =
        eventually(
            "the first write", EntityWorld.WITHIN, world.store::appends, appends -> appends == 1);
    List<TestProbe<LockAnswer>> behind = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      behind.add(tell(acquire("waiter-" + i, 10_000, 60_000)));
    }
    world.store.letGo();
    FencingToken token = acquired(anna);
    awaitQueue(5);
    assertEquals(before + 1, world.store.appends(), "five waiters in one append");
    assertEquals(2, replay().stateSequenceNr(), "one event, and as much has happened as wait");
    for (TestProbe<LockAnswer> waiter : behind) {
      tell(release("of " + token, token)).receiveMessage();
      FencingToken next = acquired(waiter);
      assertTrue(next.compareTo(token) > 0, "I6 Fifo, I2 TokenMonotonic");
      token = next;
    }
  }

  @Test
  void each_change_in_one_write_has_its_own_revision() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    world.store.hold();
    tell(acquire("bert", 10_000, 60_000));
    TestProbe<LockAnswer> released = tell(release("r1", anna));
    TestProbe<LockAnswer> carl = tell(acquire("carl", 10_000, 0));
    world.store.letGo();
    Revision revision = released.receiveMessage().revision();
    assertEquals(revision, record().orElseThrow().revision());
    assertTrue(carl.receiveMessage().outcome() instanceof Outcome.Refused);
  }

  @Test
  void many_requests_during_a_write_do_not_overflow_the_stack() {
    lock = world.lock(key, UsualSettings.locks("max-waiting-commands = 65536"));
    world.store.hold();
    TestProbe<LockAnswer> anna = tell(acquire("anna", 1_000, 0));
    TestProbe<LockAnswer> others = world.kit.createTestProbe(LockAnswer.class);
    int many = 20_000;
    for (int i = 0; i < many; i++) {
      lock.tell(new LockMessage.Handle(acquire("bert", 1_000, 0), i, 0, false, others.getRef()));
    }
    world.store.letGo();
    acquired(anna);
    others.receiveSeveralMessages(many, Duration.ofSeconds(20));
  }

  @Test
  void a_node_without_tokens_grants_nothing_and_serves_the_rest() {
    FencingToken anna = acquired(tell(acquire("anna", 1_000, 0)));
    TestProbe<LockAnswer> bert = tell(acquire("bert", 10_000, 60_000));
    awaitQueue(1);
    world.hasTokens = false;
    assertEquals(new Outcome.Refused(new Refusal.NoToken()), outcome(release("r1", anna)));
    assertEquals(anna, acquired(tell(acquire("anna", 1_000, 0))), "the renewal needs none");
    pass(1_000);
    tell(acquire("carl", 1_000, 0)).receiveMessage();
    assertEquals(anna, state().holders().get(0).token(), "nobody can get it");
    world.hasTokens = true;
    pass(1_000); // due items are reported again
    acquired(bert);
  }

  @Test
  void an_actor_that_may_not_own_its_shard_answers_nothing() {
    acquired(tell(acquire("anna", 10_000, 0)));
    world.sure = false;
    tell(acquire("bert", 10_000, 0)).expectNoMessage(Duration.ofMillis(100));
    world.sure = true;
    tell(acquire("bert", 10_000, 0)).receiveMessage();
  }

  @Test
  void a_held_lock_has_a_public_record_and_a_free_one_has_none() {
    FencingToken anna = acquired(tell(acquire("anna", 10_000, 0)));
    TestProbe<LockAnswer> bert = tell(acquire("bert", 10_000, 60_000));
    awaitQueue(1);
    PublicRecord first = record().orElseThrow();
    assertEquals(state().holders(), LockRecordReader.holders(first));
    tell(release("r1", anna)).receiveMessage();
    FencingToken next = acquired(bert);
    PublicRecord second = record().orElseThrow();
    assertEquals(
        List.of(next), LockRecordReader.holders(second).stream().map(Holder::token).toList());
    assertEquals(first.created(), second.created(), "a hand-over goes on");
    assertEquals(2, second.version(), "a waiter is no public change");
    tell(release("r2", next)).receiveMessage();
    assertEquals(Optional.empty(), record());
  }

  @Test
  void a_long_history_is_replaced_by_the_state() {
    for (int i = 0; i < 48; i++) {
      FencingToken token = acquired(tell(acquire("anna" + i, 1_000, 0)));
      if (i % 7 == 0) {
        restart();
      }
      tell(release("r" + i, token)).receiveMessage();
    }
    FencingToken bert = acquired(tell(acquire("bert", 1_000, 0)));
    assertTrue(replay().state() != null && replay().events().isEmpty(), "nobody waits");
    restart();
    assertEquals(bert, acquired(tell(acquire("bert", 1_000, 0))));
    assertEquals(0, world.failures.get());
  }

  @Test
  void a_long_queue_is_written_with_its_state_now_and_then() {
    FencingToken token = acquired(tell(acquire("anna", 10_000, 0)));
    List<TestProbe<LockAnswer>> queue = new ArrayList<>();
    long most = 0;
    int states = 0;
    for (int i = 0; i < 7; i++) {
      queue.add(tell(acquire("carl" + i, 10_000, 60_000)));
      awaitQueue(queue.size());
    }
    for (int i = 0; i < 60; i++) {
      long stateBefore = replay().stateSequenceNr();
      queue.add(tell(acquire("dora" + i, 10_000, 60_000)));
      awaitQueue(queue.size());
      tell(release("s" + i, token)).receiveMessage();
      token = acquired(queue.remove(0));
      most = Math.max(most, replay().events().stream().mapToLong(Bytes::size).sum());
      states += replay().stateSequenceNr() > stateBefore ? 1 : 0;
    }
    assertTrue(most > LockWrite.FEW_BYTES / 4, "bytes of events: " + most);
    assertTrue(most < LockWrite.FEW_BYTES, "bytes of events: " + most);
    assertTrue(states > 1 && states < 8, "states: " + states);
    restart();
    assertEquals(queue.size(), state().waiters().size());
    tell(acquire("emil", 10_000, 60_000));
    awaitQueue(queue.size() + 1);
    assertEquals(List.of(), replay().events(), "the first write after a recovery has the state");
  }

  private Replay replay() {
    return world.store.version().replay(GatedStore.SHARD, EntityIds.of(key), 1);
  }

  private Optional<PublicRecord> record() {
    return world.store.version().record(GatedStore.SHARD, EntityIds.of(key));
  }

  private LockState state() {
    return world.state(key);
  }

  private void awaitQueue(int length) {
    world.awaitQueue(key, length);
  }

  private int pass(long millis) {
    return world.pass(Duration.ofMillis(millis), lock);
  }

  private void restart() {
    world.stop(lock);
    lock = world.lock(key);
  }

  private TestProbe<LockAnswer> tell(LockCommand command) {
    return world.tell(lock, command);
  }

  private Outcome outcome(LockCommand command) {
    return tell(command).receiveMessage().outcome();
  }
}
