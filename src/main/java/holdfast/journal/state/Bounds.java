package holdfast.journal.state;

/**
 * How much the journal keeps, and so what it may still know. The same on every member: a verdict
 * follows from them.
 *
 * @param events events of an id after its last state; one more is refused, so that replay is
 *     bounded
 * @param verdicts the last verdicts of a shard's epoch; a writer has fewer appends in flight
 * @param outcomes outcomes of one client in one shard
 * @param window outcomes in one shard, for all clients without a session
 * @param snapshots saved snapshots of one id; of more the oldest goes
 */
public record Bounds(int events, int verdicts, int outcomes, int window, int snapshots) {

  public static final Bounds DEFAULT = new Bounds(32, 1024, 128, 4096, 8);

  public Bounds {
    if (Math.min(Math.min(events, verdicts), Math.min(outcomes, window)) < 1 || snapshots < 1) {
      throw new IllegalArgumentException("a bound is below the minimum [1]");
    }
  }
}
