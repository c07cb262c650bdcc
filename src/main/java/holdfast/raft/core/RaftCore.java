package holdfast.raft.core;

/** One member's part in one consensus group, as a function of its inputs. */
public final class RaftCore {

  private RaftCore() {}

  /** Everything written up to and including the {@link Ready} of this number is durable. */
  public void persisted(long number) {}
}
