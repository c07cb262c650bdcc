package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandshakeTest {

  /**
   * Each connection is named by its address and its number; the second column is the one that goes
   * first.
   */
  @ParameterizedTest
  @CsvSource({"a1, a1", "a1 b1, a1", "a1 b1 b2, b1", "a1 b1 b2 a2, a1", "a1 b1 b2 b3 a2, b1"})
  void the_oldest_of_the_most_crowded_address_is_closed(String pending, String leaves) {
    assertEquals(
        leaves, Handshake.oldestOfMost(List.of(pending.split(" ")), name -> name.substring(0, 1)));
  }
}
