package io.holdfast.grpc.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.ActorSystem;
import com.google.protobuf.ByteString;
import com.typesafe.config.ConfigFactory;
import io.grpc.Status;
import io.holdfast.config.WatchSettings;
import io.holdfast.fixtures.Eventually;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.Revision;
import io.holdfast.journal.state.Change;
import io.holdfast.v1.Cause;
import io.holdfast.v1.Effect;
import io.holdfast.v1.Event;
import io.holdfast.v1.LockRecord;
import io.holdfast.v1.Reason;
import io.holdfast.v1.WatchCancel;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchProgress;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.watch.Changes;
import io.holdfast.watch.WatchHub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A stream of watches, as a client sees it, over a feed that the test makes. */
class WatchFlowTest {

  private static final ActorSystem SYSTEM =
      ActorSystem.create(
          "watches",
          ConfigFactory.parseString("akka { loglevel = OFF, stdout-loglevel = OFF }")
              .withFallback(ConfigFactory.defaultReference())
              .resolve());

  private final WatchSettings settings =
      new WatchSettings(1_000, 64 << 20, 20, 30, Duration.ofMillis(300));
  private final WatchHub hub = new WatchHub(settings, Runnable::run);
  private final WatchClient client = new WatchClient(SYSTEM, hub, settings);

  @AfterAll
  static void stop() {
    SYSTEM.terminate();
  }

  @Test
  void a_new_watch_gets_the_next_events() {
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    client.send(create(WatchCreate.newBuilder().setWatchId(4).setKey("a")));
    WatchResponse created = client.receive();
    assertTrue(created.getCreated());
    assertEquals(4, created.getWatchId());
    assertEquals(1, created.getHeader().getRevision());
    assertEquals(11, created.getHeader().getClusterId());
    assertEquals(12, created.getHeader().getMemberId());
    assertEquals(5, created.getHeader().getRaftTerm());

    hub.changed(List.of(Changes.handedOver(2, "a", 1), Changes.granted(2, "b")), new Revision(2));
    WatchResponse told = client.receive();
    assertEquals(2, told.getHeader().getRevision());
    assertEquals(1, told.getEventsCount());
    Event event = told.getEvents(0);
    assertEquals(Event.Type.TYPE_PUT, event.getType());
    assertEquals(Cause.CAUSE_HANDED_OVER, event.getCause());
    assertEquals("a", event.getLock().getKey());
    assertEquals(2, event.getLock().getModRevision());
    assertEquals(2, event.getLock().getHolders(0).getFencingToken());
    assertFalse(event.hasPrevLock(), "it was not asked for");
  }

  @Test
  void a_released_lock_is_a_delete_event_with_its_previous_record() {
    client.send(create(WatchCreate.newBuilder().setKey("a").setPrevLock(true)));
    WatchResponse created = client.receive();
    assertTrue(created.getWatchId() > 1L << 62, "chosen by the server");
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    assertFalse(client.receive().getEvents(0).hasPrevLock(), "it was free");
    hub.changed(List.of(Changes.released(2, "a", 1)), new Revision(2));
    Event event = client.receive().getEvents(0);
    assertEquals(Event.Type.TYPE_DELETE, event.getType());
    assertEquals(LockRecord.newBuilder().setKey("a").setModRevision(2).build(), event.getLock());
    assertEquals(1, event.getPrevLock().getHolders(0).getFencingToken());
  }

  @Test
  void watches_on_one_stream_start_at_their_own_revisions() {
    hub.changed(List.of(Changes.granted(1, "k1"), Changes.granted(1, "k2")), new Revision(1));
    client.send(create(WatchCreate.newBuilder().setWatchId(1).setKey("k1").setStartRevision(1)));
    client.send(create(WatchCreate.newBuilder().setWatchId(2).setPrefix("k").setStartRevision(2)));
    client.send(create(WatchCreate.newBuilder().setWatchId(3).setPrefix("").setStartRevision(3)));
    List<WatchResponse> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(client.receive());
    }
    assertEquals(3, all.stream().filter(WatchResponse::getCreated).count());
    assertEquals(List.of("k1@1"), events(all, 1));
    hub.changed(List.of(Changes.handedOver(2, "k1", 1)), new Revision(2));
    hub.changed(List.of(Changes.granted(3, "x")), new Revision(3));
    for (int i = 0; i < 3; i++) {
      all.add(client.receive());
    }
    assertEquals(List.of("k1@1", "k1@2"), events(all, 1));
    assertEquals(List.of("k1@2"), events(all, 2));
    assertEquals(List.of("x@3"), events(all, 3));
  }

  @Test
  void a_resume_token_continues_on_another_stream() {
    client.send(create(WatchCreate.newBuilder().setPrefix("k")));
    client.receive();
    hub.changed(List.of(Changes.granted(1, "k1")), new Revision(1));
    ByteString token = client.receive().getResumeToken();
    hub.changed(List.of(Changes.granted(2, "k2")), new Revision(2));
    WatchClient other = new WatchClient(SYSTEM, hub, settings);
    other.send(create(WatchCreate.newBuilder().setPrefix("k").setResumeToken(token)));
    assertTrue(other.receive().getCreated());
    assertEquals("k2", other.receive().getEvents(0).getLock().getKey());
    other.send(create(WatchCreate.newBuilder().setPrefix("").setResumeToken(token)));
    assertRefused(Reason.REASON_CURSOR_INVALID, other.receive());
  }

  @Test
  void a_cancelled_watch_is_confirmed_and_gets_no_more_events() {
    client.send(create(WatchCreate.newBuilder().setWatchId(4).setKey("a")));
    client.receive();
    client.send(cancel(4));
    WatchResponse ended = client.receive();
    assertRefused(Reason.REASON_CANCELLED, ended);
    assertEquals(Status.Code.CANCELLED.value(), ended.getRefusal().getCode());
    assertFalse(ended.getResumeToken().isEmpty());
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    client.send(cancel(4));
    assertRefused(Reason.REASON_WATCH_NOT_FOUND, client.receive());
    client.send(progress(4));
    assertRefused(Reason.REASON_WATCH_NOT_FOUND, client.receive());
  }

  @Test
  void a_progress_request_gets_a_mark() {
    client.send(create(WatchCreate.newBuilder().setWatchId(4).setKey("a")));
    client.receive();
    hub.changed(List.of(Changes.granted(1, "b")), new Revision(1));
    client.send(progress(4));
    WatchResponse mark = client.receive();
    assertEquals(1, mark.getHeader().getRevision());
    assertEquals(4, mark.getWatchId());
    assertEquals(0, mark.getEventsCount());
    assertFalse(mark.getCreated() || mark.getCanceled());
    assertFalse(mark.getResumeToken().isEmpty());
  }

  @Test
  void a_silent_watch_with_progress_notify_gets_marks() {
    client.send(create(WatchCreate.newBuilder().setWatchId(4).setKey("a").setProgressNotify(true)));
    client.send(create(WatchCreate.newBuilder().setWatchId(5).setKey("a")));
    client.receive();
    client.receive();
    for (int i = 0; i < 3; i++) {
      WatchResponse mark = client.receive();
      assertEquals(4, mark.getWatchId());
      assertEquals(0, mark.getEventsCount());
    }
  }

  @Test
  void a_slow_client_is_cancelled_and_must_restart_later() {
    client.send(create(WatchCreate.newBuilder().setWatchId(4).setKey("a")));
    client.receive();
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    ByteString last = client.receive().getResumeToken();
    for (int revision = 2; revision <= 9_000; revision++) {
      hub.changed(List.of(Changes.handedOver(revision, "a", revision - 1)), new Revision(revision));
    }
    WatchResponse answer = client.receive();
    while (!answer.getCanceled()) { // what was on the way
      last = answer.getResumeToken();
      answer = client.receive();
    }
    assertRefused(Reason.REASON_SLOW_CONSUMER, answer);
    assertEquals(last, answer.getResumeToken());
    client.send(create(WatchCreate.newBuilder().setWatchId(4).setKey("a").setResumeToken(last)));
    answer = client.receive();
    assertRefused(Reason.REASON_COMPACTED, answer);
    assertEquals(8_001, answer.getCompactRevision());
    assertEquals(9_000, answer.getHeader().getRevision());
    client.send(create(WatchCreate.newBuilder().setKey("a").setStartRevision(8_001)));
    assertTrue(client.receive().getCreated());
    assertEquals(8_001, client.receive().getEvents(0).getLock().getModRevision());
  }

  @Test
  void a_revision_in_several_messages_ends_with_the_last_one() {
    client.send(create(WatchCreate.newBuilder().setPrefix("k").setPrevLock(true)));
    client.receive();
    List<Change> all = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      all.add(Changes.released(7, "k%05d".formatted(i) + "x".repeat(400), 3));
    }
    hub.changed(all, new Revision(7));
    int count = 0;
    int messages = 0;
    while (count < all.size()) {
      WatchResponse told = client.receive();
      count += told.getEventsCount();
      messages++;
      assertEquals(count < all.size() ? 6 : 7, told.getHeader().getRevision());
      assertTrue(told.getSerializedSize() <= 1 << 20, () -> "size " + told.getSerializedSize());
    }
    assertEquals(all.size(), count);
    assertTrue(messages > 4, () -> "too few messages to prove anything");
  }

  @Test
  void a_refused_watch_does_not_end_the_stream() {
    client.send(create(WatchCreate.newBuilder().setWatchId(1).setKey("a")));
    client.receive();
    refused(Reason.REASON_WATCH_EXISTS, "", WatchCreate.newBuilder().setWatchId(1).setKey("b"));
    refused(Reason.REASON_OUT_OF_BOUND, "watch_id", WatchCreate.newBuilder().setWatchId(-1));
    refused(Reason.REASON_FIELD_REQUIRED, "selector", WatchCreate.newBuilder());
    refused(Reason.REASON_KEY_INVALID, "key", WatchCreate.newBuilder().setKey(""));
    refused(Reason.REASON_KEY_INVALID, "key", WatchCreate.newBuilder().setKey("a\u0001"));
    refused(
        Reason.REASON_KEY_INVALID, "prefix", WatchCreate.newBuilder().setPrefix("a".repeat(513)));
    refused(
        Reason.REASON_OUT_OF_BOUND,
        "start_revision",
        WatchCreate.newBuilder().setKey("a").setStartRevision(0));
    refused(
        Reason.REASON_CURSOR_INVALID,
        "resume_token",
        WatchCreate.newBuilder().setKey("a").setResumeToken(ByteString.copyFromUtf8("no")));
    for (int id = 2; id <= settings.maxPerStream(); id++) {
      client.send(create(WatchCreate.newBuilder().setWatchId(id).setKey("a")));
      assertTrue(client.receive().getCreated());
    }
    refused(Reason.REASON_TOO_MANY_WATCHES, "", WatchCreate.newBuilder().setKey("a"));
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    assertEquals(1, client.receive().getEventsCount());
  }

  @Test
  void an_empty_watch_request_ends_the_stream() {
    client.send(WatchRequest.getDefaultInstance());
    assertEquals(Reason.REASON_FIELD_REQUIRED, client.failure());
  }

  @Test
  void a_too_large_watch_request_ends_the_stream() {
    client.send(create(WatchCreate.newBuilder().setKey("a")));
    client.receive();
    client.send(create(WatchCreate.newBuilder().setKey("a".repeat(65_536))));
    assertEquals(Reason.REASON_MESSAGE_TOO_LARGE, client.failure());
    assertEventuallyNoWatch();
  }

  @Test
  void watch_requests_are_taken_at_the_pace_of_the_reader() {
    for (int id = 1; id <= 10; id++) {
      client.send(create(WatchCreate.newBuilder().setWatchId(id).setKey("a")));
    }
    for (int id = 1; id <= 10; id++) {
      assertTrue(hub.size() <= id + 3, "more were taken than are read");
      assertEquals(id, client.receive().getWatchId());
    }
  }

  @Test
  void a_disconnected_client_leaves_no_watches() {
    client.send(create(WatchCreate.newBuilder().setKey("a")));
    client.receive();
    assertEquals(1, hub.size());
    client.leave();
    assertEventuallyNoWatch();
  }

  @Test
  void a_half_closed_stream_still_gets_events() {
    client.send(create(WatchCreate.newBuilder().setWatchId(1).setKey("a")));
    client.receive();
    client.finish();
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    assertEquals(1, client.receive().getEventsCount());
    WatchClient idle = new WatchClient(SYSTEM, hub, settings);
    idle.finish();
    assertTrue(idle.isComplete(), "it has nothing to read");
  }

  @Test
  void a_leaving_node_cancels_each_watch_and_ends_the_stream() {
    client.send(create(WatchCreate.newBuilder().setWatchId(1).setKey("a")));
    client.send(create(WatchCreate.newBuilder().setWatchId(2).setPrefix("a")));
    client.receive();
    client.receive();
    WatchClient idle = new WatchClient(SYSTEM, hub, settings);
    idle.send(create(WatchCreate.newBuilder().setWatchId(2).setPrefix("a")));
    idle.receive();
    idle.send(cancel(2));
    idle.receive();
    hub.leave();
    assertRefused(Reason.REASON_LEAVING, client.receive());
    WatchResponse last = client.receive();
    assertRefused(Reason.REASON_LEAVING, last);
    assertFalse(last.getResumeToken().isEmpty());
    assertTrue(client.isComplete());
    assertTrue(idle.isComplete());
  }

  private void refused(Reason reason, String field, WatchCreate.Builder create) {
    client.send(create(create));
    WatchResponse answer = client.receive();
    assertRefused(reason, answer);
    assertEquals(field, answer.getRefusal().getField());
    assertTrue(answer.getResumeToken().isEmpty());
    assertFalse(answer.getCreated());
  }

  private void assertEventuallyNoWatch() {
    Eventually.eventually("watches", Duration.ofSeconds(5), hub::size, size -> size == 0);
  }

  private static void assertRefused(Reason reason, WatchResponse answer) {
    assertTrue(answer.getCanceled(), answer::toString);
    assertEquals(reason, answer.getRefusal().getReason());
    assertEquals(StatusMapping.code(reason).getNumber(), answer.getRefusal().getCode());
    assertEquals(Effect.EFFECT_NONE, answer.getRefusal().getEffect());
    assertFalse(answer.getRefusal().getMessage().isEmpty());
  }

  private static List<String> events(List<WatchResponse> all, long watch) {
    return all.stream()
        .filter(response -> response.getWatchId() == watch)
        .flatMap(response -> response.getEventsList().stream())
        .map(event -> event.getLock().getKey() + "@" + event.getLock().getModRevision())
        .toList();
  }

  private static WatchRequest create(WatchCreate.Builder create) {
    return WatchRequest.newBuilder().setCreate(create).build();
  }

  private static WatchRequest cancel(long watch) {
    return WatchRequest.newBuilder().setCancel(WatchCancel.newBuilder().setWatchId(watch)).build();
  }

  private static WatchRequest progress(long watch) {
    return WatchRequest.newBuilder()
        .setProgress(WatchProgress.newBuilder().setWatchId(watch))
        .build();
  }
}
