package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which revision each of several public changes has. */
class DraftTest {

  private static final PublicChange SET = PublicChange.Set.of(Bytes.of("record"));
  private static final PublicChange ABSENT = new PublicChange.Absent(Bytes.EMPTY);

  @Test
  void each_public_change_has_its_own_revision_or_that_of_the_last_one_before() {
    assertEquals(List.of(8L, 9L, 10L), revisions(10, SET, SET, ABSENT));
    assertEquals(List.of(9L, 10L, 10L), revisions(10, SET, ABSENT, ABSENT));
    assertEquals(List.of(10L), revisions(10, SET));
  }

  @Test
  void what_a_first_absence_raised_is_counted_for_it() {
    assertEquals(List.of(9L, 10L), revisions(10, ABSENT, SET));
    assertEquals(List.of(10L), revisions(10, ABSENT));
  }

  private static List<Long> revisions(long afterAll, PublicChange... changes) {
    Draft draft = Draft.showing(changes);
    return IntStream.range(0, changes.length)
        .mapToObj(change -> draft.revision(change, afterAll))
        .toList();
  }
}
