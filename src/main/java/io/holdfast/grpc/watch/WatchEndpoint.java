package io.holdfast.grpc.watch;

import akka.stream.javadsl.Source;
import io.holdfast.config.WatchSettings;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.watch.WatchHub;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Serves {@code Watch}. Each stream is a flow of its own over the watches of the node. */
public final class WatchEndpoint {

  /**
   * The checks for silent watches in each progress interval: a progress mark is late by at most one
   * of them.
   */
  private static final int CHECKS_PER_INTERVAL = 10;

  /** One connection may have this part of a node's watches, and at least as many as one stream. */
  private static final int CONNECTION_PART = 4;

  /** The part of the heap for watches. */
  private static final int BYTES_PART = 16;

  private final WatchHub hub;
  private final AnswerFacts facts;
  private final WatchEventTranslator locks;
  private final WatchRefusals refusals;
  private final Duration progressEvery;
  private final Quota open;
  private final Quota bytes;
  private final LongSupplier nanos;

  public WatchEndpoint(WatchHub hub, AnswerFacts facts, WatchSettings settings) {
    this(hub, facts, settings, bytes(), new ChangeNoteTranslator(), System::nanoTime);
  }

  WatchEndpoint(
      WatchHub hub,
      AnswerFacts facts,
      WatchSettings settings,
      Quota bytes,
      WatchEventTranslator locks,
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

  /** Creates the quota of bytes that all watches share. */
  private static Quota bytes() {
    long most = Runtime.getRuntime().maxMemory() / BYTES_PART;
    return new Quota(Quota.Kind.WATCH_BYTES, most, most / CONNECTION_PART);
  }

  public <M> Source<WatchResponse, M> watch(
      Source<WatchRequest, M> requests, Quota unread, ClientConnection caller) {
    WatchWriter writer = new WatchWriter(facts, locks, refusals);
    return requests.via(
        new WatchFlow(
            wake ->
                new WatchStreamHandler(
                    hub,
                    writer,
                    new WatchQuota(open, bytes, unread, caller),
                    progressEvery,
                    nanos,
                    wake),
            progressEvery.dividedBy(CHECKS_PER_INTERVAL)));
  }
}
