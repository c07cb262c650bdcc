package holdfast.coordination;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import holdfast.lock.FencingToken;
import org.junit.jupiter.api.Test;

/** Tokens of a node that stands alone: I2 TokenMonotonic, over restarts too. */
class StartTokensTest {

  @Test
  void tokens_rise() {
    StartTokens tokens = new StartTokens(1);
    FencingToken last = tokens.next();
    for (int i = 0; i < 1_000; i++) {
      FencingToken next = tokens.next();
      assertTrue(next.compareTo(last) > 0);
      last = next;
    }
  }

  @Test
  void the_first_token_of_a_start_is_greater_than_a_million_of_the_start_before() {
    StartTokens before = new StartTokens(1);
    FencingToken last = before.next();
    for (int i = 0; i < 1_000_000; i++) {
      last = before.next();
    }
    assertTrue(new StartTokens(2).next().compareTo(last) > 0);
  }

  @Test
  void the_last_start_has_positive_tokens_and_there_is_none_after_it() {
    assertTrue(new StartTokens(StartTokens.MAX_START).next().value() > 0);
    assertThrows(IllegalArgumentException.class, () -> new StartTokens(StartTokens.MAX_START + 1));
    assertThrows(IllegalArgumentException.class, () -> new StartTokens(0));
  }
}
