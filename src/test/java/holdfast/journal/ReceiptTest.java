package holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import holdfast.journal.state.Bytes;
import holdfast.journal.state.PublicChange;
import holdfast.journal.state.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which revision an event of several hears. */
class ReceiptTest {

  private static final PublicChange NONE = PublicChange.none();
  private static final PublicChange SET = PublicChange.Set.of(Bytes.of("record"));
  private static final PublicChange ABSENT = new PublicChange.Absent(Bytes.EMPTY);

  @Test
  void each_event_hears_the_revision_of_its_own_change_or_of_the_last_one_before() {
    assertEquals(List.of(8L, 8L, 9L, 10L), revisions(10, SET, NONE, SET, ABSENT));
    assertEquals(List.of(9L, 10L, 10L), revisions(10, SET, ABSENT, ABSENT));
    assertEquals(List.of(10L), revisions(10, NONE));
  }

  @Test
  void what_a_first_absence_raised_is_counted_for_it_and_for_none_before_it() {
    assertEquals(List.of(9L, 10L), revisions(10, ABSENT, SET));
    assertEquals(List.of(10L, 10L), revisions(10, NONE, ABSENT), "never too early");
  }

  @Test
  void nobody_s_receipt_stays_empty() {
    Receipt receipt = new Receipt();
    Verdict.Applied applied = new Verdict.Applied(3, 1);
    receipt.set(applied);
    Receipt.NONE.set(applied);
    assertEquals(Optional.of(applied), receipt.applied());
    assertEquals(Optional.empty(), Receipt.NONE.applied());
  }

  private static List<Long> revisions(long afterAll, PublicChange... changes) {
    List<PublicChange> all = List.of(changes);
    return java.util.stream.IntStream.range(0, all.size())
        .mapToObj(i -> Receipt.revisionOf(i, all, afterAll))
        .toList();
  }
}
