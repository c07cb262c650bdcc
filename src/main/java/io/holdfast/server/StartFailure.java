package io.holdfast.server;

import com.typesafe.config.ConfigException;
import java.net.BindException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Thrown when a node cannot start. Has one sentence for its operator for each fault. */
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

  /** A failure by this cause, or the cause itself if it is one. */
  static StartFailure of(Throwable cause) {
    if (cause instanceof StartFailure failure) {
      return failure;
    }
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String reason = root.getMessage() == null ? root.toString() : root.getMessage();
    if (root instanceof ConfigException) {
      return new StartFailure(
          NodeExitCode.CONFIGURATION, "the configuration cannot be used: " + reason);
    }
    return new StartFailure(
        root instanceof BindException ? NodeExitCode.ADDRESS : NodeExitCode.INTERNAL,
        "the node cannot start: " + reason);
  }

  /** This failure, or the end of the node's session if that is its cause. */
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
