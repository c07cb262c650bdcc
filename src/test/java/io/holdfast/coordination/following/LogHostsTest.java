package io.holdfast.coordination.following;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The node by which a service follows the log. */
class LogHostsTest {

  private final LogHosts hosts = new LogHosts(List.of("a", "b"));

  @Test
  void the_contacts_come_in_turn() {
    assertEquals("a", hosts.current());
    assertEquals("b", hosts.next());
    assertEquals("a", hosts.next());
  }

  @Test
  void nodes_with_a_session_are_asked_once_in_a_round() {
    hosts.know(List.of("c", "a"));
    assertEquals("b", hosts.next());
    assertEquals("c", hosts.next());
    assertEquals("a", hosts.next());
  }

  @Test
  void one_that_is_gone_is_followed_by_the_first() {
    hosts.know(List.of("c", "d"));
    hosts.next();
    hosts.next();
    assertEquals("c", hosts.current());
    hosts.know(List.of("d"));
    assertEquals("d", hosts.next());
  }
}
