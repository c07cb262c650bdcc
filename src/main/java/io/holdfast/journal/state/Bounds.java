package io.holdfast.journal.state;

import java.util.stream.IntStream;

/**
 * How much the journal keeps, and so what it may still know. The same on every member: a verdict
 * follows from them.
 *
 * @param events events of an id after its last state; one more is refused, so that replay is
 *     bounded
 * @param verdicts the last verdicts of a shard's epoch; a writer has fewer appends in flight
 * @param outcomes outcomes of one session in one shard; of more the first goes
 * @param window outcomes of named requests in one shard; one more is refused, which costs a lock
 *     its actor: whoever decides has bounds of its own, well below
 * @param clientWindow of these, outcomes of one client; one more is refused
 */
public record Bounds(int events, int verdicts, int outcomes, int window, int clientWindow) {

  public static final Bounds DEFAULT = new Bounds(32, 1024, 128, 131_072, 131_072);

  public Bounds {
    int least = IntStream.of(events, verdicts, outcomes, window, clientWindow).min().orElse(0);
    Required.within("bound", least, 1, Integer.MAX_VALUE);
  }
}
