package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of connections by the file descriptors of a process. */
class FileDescriptorsTest {

  @ParameterizedTest
  @CsvSource({
    "4096,1000000,4096",
    "4096,5120,4096",
    "4096,5119,4095",
    "4096,2048,1024",
    "4096,400,200",
    "100,400,100",
    "4096,1,1",
    "4096,0,0",
    "4096,-3,0"
  })
  void some_descriptors_are_kept_for_other_uses(int wanted, long left, int connections) {
    assertEquals(connections, FileDescriptors.connections(wanted, left));
  }

  @Test
  void this_process_has_room_for_connections() {
    assertTrue(FileDescriptors.connections(1) == 1);
  }
}
