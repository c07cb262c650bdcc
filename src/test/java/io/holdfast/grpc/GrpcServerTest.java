package io.holdfast.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GrpcServerTest {

  @Test
  void streams_take_at_most_a_quarter_of_the_heap() {
    assertEquals(1_638, GrpcServer.streams(10_000, 256L << 20));
    assertEquals(10_000, GrpcServer.streams(10_000, 2L << 30));
  }
}
