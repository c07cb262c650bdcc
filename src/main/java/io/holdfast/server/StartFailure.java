package io.holdfast.server;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A node cannot start. Says why in sentences for its operator, one for each fault. */
public final class StartFailure extends Exception {

  private static final long serialVersionUID = 1;

  private final NodeExitCode exitCode;
  private final transient List<String> faults;

  StartFailure(NodeExitCode exitCode, List<String> faults) {
    super(String.join("; ", faults));
    this.exitCode = exitCode;
    this.faults = List.copyOf(faults);
  }

  StartFailure(NodeExitCode exitCode, String fault) {
    this(exitCode, List.of(fault));
  }

  /** The same, unless the node's session has ended: then whatever failed did so for that. */
  StartFailure afterEnd(CompletionStage<String> end) {
    String reason = end.toCompletableFuture().getNow("");
    return reason.isEmpty() || exitCode != NodeExitCode.INTERNAL
        ? this
        : new StartFailure(
            NodeExitCode.CLUSTER, "the session of this node ended while it started: " + reason);
  }

  NodeExitCode exitCode() {
    return exitCode;
  }

  /** One sentence for each fault. */
  public List<String> faults() {
    return faults;
  }
}
