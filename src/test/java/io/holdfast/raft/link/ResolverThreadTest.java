package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResolverThreadTest {

  private final ResolverThread resolver = new ResolverThread(() -> {});

  @AfterEach
  void close() {
    resolver.close();
  }

  @Test
  void a_numeric_address_is_found_at_once() {
    assertEquals(List.of("/192.0.2.255:7000"), foundAtOnce("192.0.2.255:7000"));
    assertEquals(List.of("/[0:0:0:0:0:0:0:1]:7000"), foundAtOnce("[::1]:7000"));
  }

  @Test
  void a_name_that_looks_numeric_is_asked_on_the_other_thread() {
    assertEquals(List.of(), foundAtOnce("192.0.2.256:7000"));
    assertEquals(List.of(), foundAtOnce("192.0.2:7000"));
    assertEquals(List.of(), foundAtOnce("...:7000"));
  }

  @Test
  void an_address_without_a_port_is_none() {
    assertEquals(List.of("null"), foundAtOnce("192.0.2.1"));
    assertEquals(List.of("null"), foundAtOnce("192.0.2.1:0"));
    assertEquals(List.of("null"), foundAtOnce("[::1]"));
  }

  private List<String> foundAtOnce(String address) {
    List<String> found = new ArrayList<>();
    resolver.resolve(address, each -> found.add(String.valueOf(each)));
    return found;
  }
}
