package holdfast.grpc;

import akka.stream.javadsl.Source;
import holdfast.config.WatchSettings;
import holdfast.coordination.AnswerFacts;
import holdfast.v1.WatchRequest;
import holdfast.v1.WatchResponse;
import holdfast.watch.WatchHub;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Serves {@code Watch}: each stream has a flow of its own over the node's watches. */
public final class WatchEndpoint {

  /** An idle watch speaks so much later than it should, at most: a part of its silence. */
  private static final int LOOKS = 10;

  private final WatchHub hub;
  private final AnswerFacts facts;
  private final WatchedLocks locks;
  private final WatchRefusals refusals;
  private final Duration progressEvery;
  private final LongSupplier nanos;

  public WatchEndpoint(WatchHub hub, AnswerFacts facts, WatchSettings settings) {
    this(hub, facts, settings, new NotedLocks(), System::nanoTime);
  }

  WatchEndpoint(
      WatchHub hub,
      AnswerFacts facts,
      WatchSettings settings,
      WatchedLocks locks,
      LongSupplier nanos) {
    this.hub = hub;
    this.facts = facts;
    this.locks = locks;
    this.refusals = new WatchRefusals(settings);
    this.progressEvery = settings.progressEvery();
    this.nanos = nanos;
  }

  <M> Source<WatchResponse, M> watch(Source<WatchRequest, M> requests) {
    WatchWriter writer = new WatchWriter(facts, locks, refusals);
    return requests.via(
        new WatchFlow(
            wake -> new WatchTalk(hub, writer, progressEvery, nanos, wake),
            progressEvery.dividedBy(LOOKS)));
  }
}
