package io.holdfast.coordination.akka;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.state.SessionId;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests when a node commits its view of the nodes that it cannot reach. */
class SteadyViewTest {

  private static final Set<SessionId> NOBODY = Set.of();
  private static final Set<SessionId> ONE = Set.of(new SessionId(1));
  private static final Set<SessionId> BOTH = Set.of(new SessionId(1), new SessionId(2));

  private final SteadyView view = new SteadyView();

  @Test
  void a_view_is_committed_when_it_has_been_another_one_for_3_s() {
    assertFalse(view.isDue(ONE, NOBODY, 10_000));
    assertFalse(view.isDue(ONE, NOBODY, 12_999));
    assertTrue(view.isDue(ONE, NOBODY, 13_000));
  }

  @Test
  void each_change_begins_the_3_s_anew() {
    assertFalse(view.isDue(ONE, NOBODY, 10_000));
    assertFalse(view.isDue(BOTH, NOBODY, 12_000));
    assertFalse(view.isDue(BOTH, NOBODY, 14_999));
    assertTrue(view.isDue(BOTH, NOBODY, 15_000));
  }

  @Test
  void a_view_that_comes_back_within_3_s_is_never_committed() {
    assertFalse(view.isDue(ONE, NOBODY, 10_000));
    assertFalse(view.isDue(NOBODY, NOBODY, 12_999));
    assertFalse(view.isDue(NOBODY, NOBODY, 20_000));
  }

  @Test
  void a_known_view_is_not_committed_again_and_an_empty_one_is() {
    assertFalse(view.isDue(ONE, ONE, 10_000));
    assertFalse(view.isDue(ONE, ONE, 20_000));
    assertFalse(view.isDue(NOBODY, ONE, 30_000));
    assertTrue(view.isDue(NOBODY, ONE, 33_000));
  }

  @Test
  void a_view_without_effect_is_committed_again_3_s_later() {
    assertFalse(view.isDue(ONE, NOBODY, 10_000));
    assertTrue(view.isDue(ONE, NOBODY, 13_000));
    assertFalse(view.isDue(ONE, NOBODY, 15_999));
    assertTrue(view.isDue(ONE, NOBODY, 16_000));
  }
}
