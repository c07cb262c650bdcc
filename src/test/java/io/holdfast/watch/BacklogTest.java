package io.holdfast.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.id.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Tests how much room the backlogs of all watches take together. */
class BacklogTest {

  private static final int PLACES = 64;

  private final BacklogRoom room = BacklogRoom.beside(4L * Long.BYTES * PLACES);

  @Test
  void a_few_places_are_certain_and_more_if_there_is_room() {
    Backlog greedy = new Backlog(room);
    assertEquals(PLACES, filled(greedy));
    assertEquals(0, room.left());
    Backlog other = new Backlog(room);
    assertEquals(4, filled(other));
    for (int i = 0; i < PLACES; i++) {
      greedy.poll();
    }
    assertEquals(PLACES, room.left());
    assertEquals(PLACES - 4, filled(other));
    other.clear();
    assertEquals(PLACES, room.left());
  }

  @Test
  void one_alone_is_bounded_too() {
    Backlog alone = new Backlog(BacklogRoom.beside(1 << 30));
    assertEquals(Backlog.MAX, filled(alone));
  }

  @Test
  void watches_without_room_tell_the_same_and_give_theirs_back() {
    WatchHub hub = new WatchHub(Changes.history(1_000, 1 << 16), Runnable::run);
    long all = hub.backlogs().left();
    assertTrue(all < 100 * 60, "too much to prove anything");
    WatchStream stream = hub.open(() -> {});
    LongConsumer watch = id -> stream.create(id, Selector.key("a"));
    for (long id = 1; id <= 100; id++) {
      watch.accept(id);
    }
    for (int revision = 1; revision <= 60; revision++) {
      hub.changed(List.of(Changes.granted(revision, "a")), new Revision(revision));
    }
    assertTrue(hub.backlogs().left() >= 0, () -> "left: " + hub.backlogs().left());
    List<List<Long>> told = new ArrayList<>();
    for (var answer = stream.next(); answer.isPresent(); answer = stream.next()) {
      told.add(
          ((WatchAnswer.Events) answer.get())
              .changes().stream().map(change -> change.revision().value()).toList());
    }
    assertEquals(100, told.size());
    assertEquals(60, told.get(0).size());
    assertEquals(1, told.stream().distinct().count());
    assertEquals(all, hub.backlogs().left());
    hub.changed(List.of(Changes.granted(61, "a")), new Revision(61));
    for (int revision = 62; revision <= 80; revision++) {
      hub.changed(List.of(Changes.granted(revision, "a")), new Revision(revision));
    }
    assertFalse(hub.backlogs().left() == all);
    stream.close();
    assertEquals(all, hub.backlogs().left());
  }

  private static int filled(Backlog backlog) {
    int places = 0;
    while (backlog.add(places)) {
      places++;
    }
    return places;
  }
}
