package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Revision;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The revisions of several public changes of one draft. */
class DraftTest {

  private static final PublicChange SET = PublicChange.Set.of(Bytes.of("record"));
  private static final PublicChange ABSENT = new PublicChange.Absent(Bytes.EMPTY);

  @Test
  void a_change_without_effect_has_the_revision_before() {
    assertEquals(List.of(8L, 9L, 10L), revisions(10, SET, SET, ABSENT));
    assertEquals(List.of(9L, 10L, 10L), revisions(10, SET, ABSENT, ABSENT));
    assertEquals(List.of(10L), revisions(10, SET));
  }

  @Test
  void a_first_removal_has_a_revision_of_its_own() {
    assertEquals(List.of(9L, 10L), revisions(10, ABSENT, SET));
    assertEquals(List.of(10L), revisions(10, ABSENT));
  }

  private static List<Long> revisions(long afterAll, PublicChange... changes) {
    Draft draft = Draft.showing(changes);
    return IntStream.range(0, changes.length)
        .mapToObj(change -> draft.revision(change, new Revision(afterAll)).value())
        .toList();
  }
}
