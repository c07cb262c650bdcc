package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The code of a start that fails, if the node's session has ended meanwhile. */
class StartFailureTest {

  private static final CompletableFuture<String> ENDED =
      CompletableFuture.completedFuture("EXPIRED");

  @Test
  void a_fault_after_the_end_of_the_session_is_told_as_that() {
    StartFailure failure =
        new StartFailure(NodeExitCode.INTERNAL, "management did not come up within 20 s")
            .afterEnd(ENDED);
    assertEquals(NodeExitCode.CLUSTER, failure.exitCode());
    assertEquals(
        List.of("the session of this node ended while it started: EXPIRED"), failure.faults());
  }

  @Test
  void a_fault_while_the_session_lives_is_told_as_it_is() {
    StartFailure fault = new StartFailure(NodeExitCode.INTERNAL, "a fault");
    assertSame(fault, fault.afterEnd(new CompletableFuture<>()));
  }

  @Test
  void a_fault_for_the_operator_is_told_as_it_is() {
    for (NodeExitCode code :
        List.of(NodeExitCode.CONFIGURATION, NodeExitCode.ADDRESS, NodeExitCode.CLUSTER)) {
      StartFailure fault = new StartFailure(code, "a fault");
      assertSame(fault, fault.afterEnd(ENDED));
    }
  }
}
