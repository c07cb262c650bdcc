package holdfast.server;

import java.util.List;

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

  ExitCode exitCode() {
    return exitCode;
  }

  /** One sentence for each fault. */
  public List<String> faults() {
    return faults;
  }
}
