package io.holdfast.journal.state;

import java.util.stream.IntStream;

/**
 * The bounds of the journal. They are the same on every member, since verdicts depend on them.
 *
 * @param events of an id after its last state; one more is refused, so that replay is bounded
 * @param verdicts the last verdicts of a shard's epoch that are kept; a writer has fewer appends in
 *     flight
 * @param outcomes of one session in one shard; if there are more, the first is dropped
 * @param window outcomes of named requests in one shard; one more is refused, which costs a lock
 *     its actor: the actors have lower bounds of their own
 * @param clientWindow outcomes of one client among these; one more is refused
 */
public record Bounds(int events, int verdicts, int outcomes, int window, int clientWindow) {

  public static final Bounds DEFAULT = new Bounds(4096, 1024, 128, 131_072, 131_072);

  public Bounds {
    int least = IntStream.of(events, verdicts, outcomes, window, clientWindow).min().orElse(0);
    Required.within("bound", least, 1, Integer.MAX_VALUE);
  }
}
