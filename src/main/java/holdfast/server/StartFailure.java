package holdfast.server;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A node cannot start. Says why in sentences for its operator, one for each fault. */
public final class StartFailure extends Exception {

  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;
  private final transient List<String> faults;

  StartFailure(ExitCode exitCode, List<String> faults) {
    super(String.join("; ", faults));
    this.exitCode = exitCode;
    this.faults = List.copyOf(faults);
  }

  StartFailure(ExitCode exitCode, String fault) {
    this(exitCode, List.of(fault));
  }

  /** The same, unless the node's session has ended: then whatever failed did so for that. */
  StartFailure afterEnd(CompletionStage<String> end) {
    String reason = end.toCompletableFuture().getNow("");
    return reason.isEmpty() || exitCode != ExitCode.INTERNAL
        ? this
        : new StartFailure(
            ExitCode.CLUSTER, "the session of this node ended while it started: " + reason);
  }

  ExitCode exitCode() {
    return exitCode;
  }

  /** One sentence for each fault. */
  public List<String> faults() {
    return faults;
  }
}
