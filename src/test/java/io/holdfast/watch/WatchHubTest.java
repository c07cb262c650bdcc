package io.holdfast.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.config.WatchSettings;
import io.holdfast.id.Revision;
import io.holdfast.journal.state.Change;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The hub: its bounds, and what ends watches. The model test says what they are told. */
class WatchHubTest {

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final WatchHub hub = new WatchHub(Changes.history(1_000, 1 << 20), tasks::add);
  private int woken;
  private final WatchStream stream = hub.open(() -> woken++);

  @Test
  void changes_are_told_by_the_hub_s_thread_and_not_the_log_s() {
    stream.create(1, Selector.key("a"));
    assertTrue(stream.next().isEmpty());
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    hub.changed(List.of(Changes.granted(2, "a")), new Revision(2));
    assertEquals(1, tasks.size(), "one task reads all that is there");
    assertEquals(new Revision(0), hub.revision());
    runAll();
    assertEquals(new Revision(2), hub.revision());
    assertEquals(1, woken);
    assertEquals(List.of(1L, 2L), revisions(stream.next().orElseThrow()));
    assertTrue(stream.next().isEmpty());
  }

  @Test
  void while_nobody_watches_many_changes_are_read_at_once() {
    stream.close();
    for (int revision = 1; revision < ChangeQueue.LONG; revision++) {
      hub.changed(List.of(Changes.granted(revision, "a")), new Revision(revision));
    }
    assertEquals(0, tasks.size());
    hub.changed(List.of(Changes.granted(ChangeQueue.LONG, "a")), new Revision(ChangeQueue.LONG));
    assertEquals(1, tasks.size());
  }

  @Test
  void unwatched_changes_are_read_before_they_exceed_the_bytes() {
    Queue<Runnable> later = new ArrayDeque<>();
    int room = 20_000;
    WatchHub small = new WatchHub(Changes.history(1_000, room), later::add);
    int bytes = 0;
    long revision = 0;
    while (later.isEmpty()) {
      revision++;
      bytes += Changes.ofLock(revision, "a").weight();
      assertTrue(bytes <= room, "dropped unread");
      small.changed(List.of(Changes.granted(revision, "a")), new Revision(revision));
    }
    assertTrue(bytes >= room / 2, "not sooner than need be: " + bytes);
    later.remove().run();
    WatchStream late = small.open(() -> {});
    late.create(1, Selector.key("a"), Position.before(new Revision(1)));
    assertEquals(revision, revisions(late.next().orElseThrow()).size(), "nothing is missing");
  }

  @Test
  void a_new_watch_does_not_wait_for_later_changes() {
    AtomicLong revision = new AtomicLong(1);
    List<WatchStream> busy = new ArrayList<>();
    busy.add(
        hub.open(
            () -> {
              while (busy.get(0).next().isPresent()) {} // and then something more comes
              if (revision.get() < 1_000) {
                hub.changed(
                    List.of(Changes.granted(revision.incrementAndGet(), "a")),
                    new Revision(revision.get()));
              }
            }));
    busy.get(0).create(1, Selector.key("a"));
    assertTrue(busy.get(0).next().isEmpty());
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    hub.open(() -> {});
    assertEquals(2, revision.get());
    runAll();
    assertEquals(1_000, revision.get());
  }

  @Test
  void a_new_watch_is_told_what_comes_and_may_ask_for_the_past() {
    stream.close();
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    WatchStream late = hub.open(() -> {});
    assertEquals(
        new WatchAnswer.Created(1, new Revision(1), new Position(new Revision(1), 0)),
        late.create(1, Selector.key("a")));
    hub.changed(List.of(Changes.granted(2, "a")), new Revision(2));
    runAll();
    assertEquals(List.of(2L), revisions(late.next().orElseThrow()));
    late.create(2, Selector.key("a"), Position.before(new Revision(1)));
    assertEquals(List.of(1L, 2L), revisions(late.next().orElseThrow()));
  }

  @Test
  void a_change_of_a_lease_is_only_progress() {
    stream.create(1, Selector.prefix(""));
    hub.changed(List.of(Changes.ofLease(1), Changes.ofLease(2)), new Revision(2));
    runAll();
    stream.mark(1);
    assertEquals(
        new WatchAnswer.Mark(1, new Revision(2), new Position(new Revision(2), 0)),
        stream.next().orElseThrow());
    assertTrue(stream.next().isEmpty());
  }

  @Test
  void a_start_in_the_past_tells_what_was_and_then_what_comes() {
    changes(1, 10, "a");
    assertEquals(
        new WatchAnswer.Created(1, new Revision(3), new Position(new Revision(3), 0)),
        stream.create(1, Selector.key("a"), Position.before(new Revision(4))));
    changes(11, 11, "a");
    assertEquals(List.of(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L), revisions(stream.next().orElseThrow()));
    assertTrue(stream.next().isEmpty());
  }

  @Test
  void a_watch_from_a_future_revision_is_told_nothing_before_it() {
    changes(1, 2, "a");
    assertEquals(
        new WatchAnswer.Created(1, new Revision(2), new Position(new Revision(4), 0)),
        stream.create(1, Selector.key("a"), Position.before(new Revision(5))));
    changes(3, 4, "a");
    assertTrue(stream.next().isEmpty());
    changes(5, 6, "a");
    assertEquals(List.of(5L, 6L), revisions(stream.next().orElseThrow()));
  }

  @Test
  void a_revision_over_several_answers_is_reached_by_the_last() {
    stream.create(1, Selector.prefix(""));
    List<Change> many = new ArrayList<>();
    for (int i = 0; i < Watch.MAX_EVENTS + 5; i++) {
      many.add(Changes.granted(8, "k%05d".formatted(i)));
    }
    hub.changed(many, new Revision(8));
    runAll();
    List<WatchAnswer.Events> told = new ArrayList<>();
    for (var next = stream.next(); next.isPresent(); next = stream.next()) {
      told.add((WatchAnswer.Events) next.get());
    }
    assertTrue(told.size() > 1);
    int count = 0;
    for (WatchAnswer.Events events : told.subList(0, told.size() - 1)) {
      count += events.changes().size();
      assertEquals(new Revision(7), events.revision());
      assertEquals(new Position(new Revision(7), count), events.position());
    }
    WatchAnswer.Events last = told.get(told.size() - 1);
    assertEquals(new Revision(8), last.revision());
    assertEquals(new Position(new Revision(8), 0), last.position());

    stream.create(2, Selector.prefix(""), told.get(0).position());
    WatchAnswer.Events rest = (WatchAnswer.Events) stream.next().orElseThrow();
    assertEquals(told.get(1).changes().get(0), rest.changes().get(0));
  }

  @Test
  void a_watch_that_was_told_and_missed_some_was_too_slow() {
    stream.create(1, Selector.key("a"));
    changes(1, 1, "a");
    assertEquals(List.of(1L), revisions(stream.next().orElseThrow()));
    changes(2, 2, "a");
    changes(3, 1_200, "b");
    WatchAnswer.Ended ended = (WatchAnswer.Ended) stream.next().orElseThrow();
    assertEquals(WatchEnding.SLOW_CONSUMER, ended.why());
    assertEquals(new Position(new Revision(1), 0), ended.position().orElseThrow());
    assertEquals(new Revision(1), ended.revision());
    assertEquals(0, hub.size());
  }

  @Test
  void a_watch_without_events_is_never_too_slow() {
    stream.create(1, Selector.key("a"));
    changes(1, 5_000, "b");
    assertTrue(stream.next().isEmpty());
    changes(5_001, 5_001, "a");
    assertEquals(List.of(5_001L), revisions(stream.next().orElseThrow()));
  }

  @Test
  void a_watch_whose_start_is_gone_before_it_begins_is_compacted() {
    changes(1, 10, "a");
    stream.create(1, Selector.key("a"), Position.before(new Revision(2)));
    changes(11, 2_000, "a");
    WatchAnswer.Ended ended = (WatchAnswer.Ended) stream.next().orElseThrow();
    assertEquals(WatchEnding.COMPACTED, ended.why());
    assertEquals(1_001, ended.available());
  }

  @Test
  void a_start_is_compacted_up_to_the_first_revision_that_is_kept() {
    changes(1, 1_500, "a");
    WatchAnswer.Ended ended =
        (WatchAnswer.Ended) stream.create(1, Selector.key("a"), Position.before(new Revision(500)));
    assertEquals(WatchEnding.COMPACTED, ended.why());
    assertEquals(501, ended.available());
    assertTrue(ended.position().isEmpty());
    assertInstanceOf(
        WatchAnswer.Created.class,
        stream.create(1, Selector.key("a"), Position.before(new Revision(501))));
    assertEquals(
        new Revision(501),
        ((WatchAnswer.Events) stream.next().orElseThrow()).changes().get(0).revision());
  }

  @Test
  void a_restored_journal_ends_all_watches_but_those_of_the_future() {
    stream.create(1, Selector.key("a"));
    stream.create(2, Selector.key("a"), Position.before(new Revision(21)));
    changes(1, 5, "b");
    hub.restored(new Revision(20));
    runAll();
    WatchAnswer.Ended ended = (WatchAnswer.Ended) stream.next().orElseThrow();
    assertEquals(WatchEnding.COMPACTED, ended.why());
    assertEquals(1, ended.watch());
    assertEquals(21, ended.available());
    changes(21, 21, "a");
    assertEquals(List.of(21L), revisions(stream.next().orElseThrow()));
  }

  @Test
  void a_hub_that_cannot_keep_up_begins_anew_instead_of_growing() {
    stream.create(1, Selector.key("a"));
    for (int revision = 1; revision <= 1_500; revision++) {
      hub.changed(List.of(Changes.granted(revision, "a")), new Revision(revision));
    }
    runAll();
    assertEquals(new Revision(1_500), hub.revision());
    WatchAnswer.Ended ended = (WatchAnswer.Ended) stream.next().orElseThrow();
    assertEquals(WatchEnding.COMPACTED, ended.why());
    assertEquals(1_002, ended.available(), "1001 did not fit any more");
  }

  @Test
  void changes_that_make_no_sense_are_a_gap_and_not_silence() {
    stream.create(1, Selector.key("a"));
    changes(1, 5, "b");
    hub.changed(List.of(Changes.granted(3, "a")), new Revision(6));
    runAll();
    assertEquals(WatchEnding.COMPACTED, ((WatchAnswer.Ended) stream.next().orElseThrow()).why());
    assertEquals(new Revision(6), hub.revision());
  }

  @Test
  void watches_take_turns() {
    stream.create(1, Selector.key("a"));
    stream.create(2, Selector.key("b"));
    changes(1, 3 * Backlog.MAX, "a");
    changes(3 * Backlog.MAX + 1, 3 * Backlog.MAX + 1, "b");
    // The first has lost its place long before; it says so, and the second speaks.
    assertEquals(1, stream.next().orElseThrow().watch());
    assertEquals(2, stream.next().orElseThrow().watch());
  }

  @Test
  void a_cancelled_watch_tells_its_position_and_nothing_more() {
    stream.create(1, Selector.key("a"));
    changes(1, 3, "a");
    WatchAnswer.Ended ended = stream.cancel(1);
    assertEquals(WatchEnding.CANCELLED, ended.why());
    assertEquals(new Position(new Revision(0), 0), ended.position().orElseThrow());
    assertTrue(stream.next().isEmpty());
    assertEquals(WatchEnding.NOT_FOUND, stream.cancel(1).why());
    assertEquals(WatchEnding.NOT_FOUND, stream.mark(1).orElseThrow().why());
  }

  @Test
  void a_mark_waits_for_what_is_known_when_it_is_asked_for() {
    stream.create(1, Selector.key("a"));
    changes(1, 3, "a");
    stream.mark(1);
    changes(4, 4, "b");
    assertInstanceOf(WatchAnswer.Events.class, stream.next().orElseThrow());
    assertEquals(
        new WatchAnswer.Mark(1, new Revision(4), new Position(new Revision(4), 0)),
        stream.next().orElseThrow());
  }

  @Test
  void a_node_that_stops_ends_all_watches_and_takes_no_more() {
    stream.create(1, Selector.key("a"));
    assertTrue(stream.next().isEmpty());
    WatchStream idle = hub.open(() -> woken++);
    assertTrue(idle.next().isEmpty());
    changes(1, 1, "a");
    woken = 0;
    assertFalse(stream.isOver());
    hub.leave();
    assertEquals(1, woken, "the first was awake");
    WatchAnswer.Ended ended = (WatchAnswer.Ended) stream.next().orElseThrow();
    assertEquals(WatchEnding.LEAVING, ended.why());
    assertEquals(new Position(new Revision(0), 0), ended.position().orElseThrow());
    assertTrue(stream.isOver());
    assertEquals(
        WatchEnding.LEAVING, ((WatchAnswer.Ended) stream.create(2, Selector.key("a"))).why());
    changes(2, 2, "a");
    assertEquals(new Revision(1), hub.revision());
  }

  @Test
  void watches_are_bounded_for_each_stream_and_for_the_node() {
    WatchHub small =
        new WatchHub(new WatchSettings(1_000, 1 << 20, 2, 3, Duration.ofSeconds(10)), tasks::add);
    WatchStream one = small.open(() -> {});
    WatchStream other = small.open(() -> {});
    one.create(1, Selector.key("a"));
    one.create(2, Selector.prefix("a"));
    assertEquals(WatchEnding.EXISTS, ((WatchAnswer.Ended) one.create(2, Selector.key("b"))).why());
    assertEquals(
        WatchEnding.TOO_MANY_ON_STREAM,
        ((WatchAnswer.Ended) one.create(3, Selector.key("b"))).why());
    other.create(1, Selector.key("a"));
    assertEquals(
        WatchEnding.TOO_MANY_ON_NODE,
        ((WatchAnswer.Ended) other.create(2, Selector.key("b"))).why());
    one.close();
    assertEquals(1, small.size());
    assertInstanceOf(WatchAnswer.Created.class, other.create(2, Selector.key("b")));
    assertTrue(one.next().isEmpty());
  }

  private void changes(long first, long last, String key) {
    for (long revision = first; revision <= last; revision++) {
      hub.changed(List.of(Changes.granted(revision, key)), new Revision(revision));
      runAll();
    }
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private static List<Long> revisions(WatchAnswer answer) {
    return ((WatchAnswer.Events) answer)
        .changes().stream().map(change -> change.revision().value()).toList();
  }
}
