package io.holdfast.grpc.watch;

import akka.stream.javadsl.Source;
import io.holdfast.config.WatchSettings;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.watch.WatchHub;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Serves {@code Watch}: each stream has a flow of its own over the node's watches. */
public final class WatchEndpoint {

  /** An idle watch speaks so much later than it should, at most: a part of its silence. */
  private static final int LOOKS = 10;

  /** A connection may have this part of a node's watches, or as many as a stream. */
  private static final int CONNECTION_PART = 4;

  /** This part of the heap may hold them. */
  private static final int BYTES_PART = 16;

  private final WatchHub hub;
  private final AnswerFacts facts;
  private final WatchedLocks locks;
  private final WatchRefusals refusals;
  private final Duration progressEvery;
  private final Quota open;
  private final Quota bytes;
  private final LongSupplier nanos;

  public WatchEndpoint(WatchHub hub, AnswerFacts facts, WatchSettings settings) {
    this(hub, facts, settings, bytes(), new NotedLocks(), System::nanoTime);
  }

  WatchEndpoint(
      WatchHub hub,
      AnswerFacts facts,
      WatchSettings settings,
      Quota bytes,
      WatchedLocks locks,
      LongSupplier nanos) {
    this.hub = hub;
    this.facts = facts;
    this.locks = locks;
    this.refusals = new WatchRefusals(settings);
    this.progressEvery = settings.progressEvery();
    this.open =
        new Quota(
            Quota.Kind.WATCHES,
            settings.maxPerNode(),
            Math.max(settings.maxPerStream(), settings.maxPerNode() / CONNECTION_PART));
    this.bytes = bytes;
    this.nanos = nanos;
  }

  /** The quota that all watches share. */
  private static Quota bytes() {
    long most = Runtime.getRuntime().maxMemory() / BYTES_PART;
    return new Quota(Quota.Kind.WATCH_BYTES, most, most / CONNECTION_PART);
  }

  public <M> Source<WatchResponse, M> watch(
      Source<WatchRequest, M> requests, Quota unread, Caller caller) {
    WatchWriter writer = new WatchWriter(facts, locks, refusals);
    return requests.via(
        new WatchFlow(
            wake ->
                new WatchTalk(
                    hub,
                    writer,
                    new WatchShare(open, bytes, unread, caller),
                    progressEvery,
                    nanos,
                    wake),
            progressEvery.dividedBy(LOOKS)));
  }
}
