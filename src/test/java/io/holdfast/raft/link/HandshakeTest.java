package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandshakeTest {

  /**
   * Each stranger is named by its place and its number; the second column is the one that goes
   * first.
   */
  @ParameterizedTest
  @CsvSource({"a1, a1", "a1 b1, a1", "a1 b1 b2, b1", "a1 b1 b2 a2, a1", "a1 b1 b2 b3 a2, b1"})
  void the_oldest_stranger_of_the_most_crowded_place_makes_room(String strangers, String leaves) {
    assertEquals(
        leaves,
        Handshake.oldestOfMost(List.of(strangers.split(" ")), name -> name.substring(0, 1)));
  }
}
