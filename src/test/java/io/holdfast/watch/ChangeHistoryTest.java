package io.holdfast.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.id.Revision;
import io.holdfast.journal.state.ChangeBytes;
import org.junit.jupiter.api.Test;

/** The history keeps the latest changes, by whole revisions, within its bounds. */
class ChangeHistoryTest {

  private final ChangeHistory history = new ChangeHistory(4, Long.MAX_VALUE);

  @Test
  void an_empty_history_begins_with_the_first_revision() {
    assertEquals(1, history.first());
    assertEquals(0, history.revision());
    assertEquals(history.end(), history.seek(1));
  }

  @Test
  void a_revision_is_reached_when_all_its_changes_are_there() {
    append(3, "a");
    append(3, "b");
    assertEquals(2, history.revision());
    history.reach(3);
    assertEquals(3, history.revision());
    assertEquals(1, history.first());
  }

  @Test
  void the_oldest_revision_goes_as_a_whole() {
    append(1, "a");
    append(1, "b");
    append(2, "a");
    append(4, "a");
    assertEquals(1, history.first());
    append(5, "a");
    assertEquals(2, history.first());
    assertEquals(2, history.start());
    assertEquals(new Revision(2), history.at(history.start()).revision());
    assertThrows(IndexOutOfBoundsException.class, () -> history.at(1));
  }

  @Test
  void an_empty_revision_is_available_while_no_later_one_is_gone() {
    append(1, "a");
    for (int revision = 5; revision < 9; revision++) {
      append(revision, "a");
    }
    assertEquals(2, history.first(), "nothing happened from 2 to 4");
  }

  @Test
  void the_newest_revision_stays_though_it_exceeds_the_bounds() {
    append(1, "a");
    for (int i = 0; i < 20; i++) {
      append(2, "k" + i);
    }
    assertEquals(2, history.first());
    assertEquals(20, history.end() - history.start());
    append(3, "a");
    assertEquals(3, history.first());
    assertEquals(1, history.end() - history.start());
  }

  @Test
  void bytes_are_bounded_as_events_are() {
    int size = ChangeHistory.OVERHEAD + ChangeBytes.of(Changes.ofLock(1, "a").change()).length;
    ChangeHistory small = new ChangeHistory(1_000, 3L * size);
    for (int revision = 1; revision <= 9; revision++) {
      small.append(Changes.ofLock(revision, "a"));
    }
    assertEquals(7, small.first());
  }

  @Test
  void a_revision_is_found_by_its_first_change() {
    append(1, "a");
    append(3, "a");
    append(3, "b");
    append(6, "a");
    assertEquals(0, history.seek(1));
    assertEquals(1, history.seek(2));
    assertEquals(1, history.seek(3));
    assertEquals(3, history.seek(4));
    assertEquals(4, history.seek(7));
  }

  @Test
  void after_a_new_beginning_nothing_before_is_known() {
    append(1, "a");
    history.begin(9);
    assertEquals(10, history.first());
    assertEquals(9, history.revision());
    assertEquals(history.start(), history.end());
    assertThrows(IllegalArgumentException.class, () -> append(9, "a"));
    append(10, "a");
    assertEquals(new Revision(10), history.at(history.start()).revision());
  }

  private void append(long revision, String key) {
    history.append(Changes.ofLock(revision, key));
  }
}
