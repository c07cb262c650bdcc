package io.holdfast.client;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.holdfast.client.session.Failure;
import io.holdfast.v1.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Unary calls, outside of any session: reads, and locks that outlive this process. A call goes to
 * one node after the other until one answers or the time is over. A write carries a request id, so
 * that a retry has no second effect.
 */
final class UnaryCalls {

  private static final long ATTEMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final int PAUSE_DOUBLINGS = 4;

  private final NodeChannels channels;
  private final KnownNodes nodes;
  private final ClientSettings settings;

  /** Counts the fail-overs; the count selects the first node of a call. */
  private final AtomicInteger preferred = new AtomicInteger();

  UnaryCalls(NodeChannels channels, KnownNodes nodes, ClientSettings settings) {
    this.channels = channels;
    this.nodes = nodes;
    this.settings = settings;
  }

  static String freshId() {
    return UUID.randomUUID().toString();
  }

  String clientId() {
    return settings.clientId();
  }

  /** A request that is retried until it is answered or its time is over. */
  interface Tried<A> {

    /** Fails with a {@link HoldfastException} only. */
    CompletableFuture<A> result();

    /** True if an attempt may still be decided, whatever has been answered to another one. */
    boolean mayBeDecidedAgain();
  }

  /** Runs a call; fails with a {@link HoldfastException} only. */
  <Q, A> CompletableFuture<A> call(MethodDescriptor<Q, A> method, Q request, boolean isRead) {
    return attempt(method, request, isRead).result();
  }

  /** As {@link #call}, with the attempts, for callers that need them. */
  <Q, A> Tried<A> attempt(MethodDescriptor<Q, A> method, Q request, boolean isRead) {
    ArgumentChecks.message(request);
    Call<Q, A> call = new Call<>(method, request, isRead);
    call.attempt();
    return call;
  }

  private static boolean isPassing(Refusal refusal) {
    return new Failure.Refused(refusal).isPassing();
  }

  private final class Call<Q, A> implements Tried<A> {

    private final MethodDescriptor<Q, A> method;
    private final Q request;
    private final boolean isRead;
    private final long endsAt =
        settings.nanoClock().getAsLong() + settings.answerWithin().toNanos();
    private final CompletableFuture<A> result = new CompletableFuture<>();

    /** The deadline of each attempt. */
    private volatile boolean isInTheDark;

    private final AtomicInteger attempts = new AtomicInteger();

    Call(MethodDescriptor<Q, A> method, Q request, boolean isRead) {
      this.method = method;
      this.request = request;
      this.isRead = isRead;
    }

    @Override
    public CompletableFuture<A> result() {
      return result;
    }

    @Override
    public boolean mayBeDecidedAgain() {
      return isInTheDark;
    }

    void attempt() {
      int turn = preferred.get();
      List<Endpoint> all = List.copyOf(nodes.list());
      Endpoint endpoint = all.get(Math.floorMod(turn, all.size()));
      long left = endsAt - settings.nanoClock().getAsLong();
      boolean isOnlyOne = all.size() == 1;
      Sent sent = new Sent();
      CallOptions options =
          CallOptions.DEFAULT
              .withDeadlineAfter(
                  Math.max(1, isOnlyOne ? left : Math.min(left, ATTEMPT_NANOS)),
                  TimeUnit.NANOSECONDS)
              .withCallCredentials(settings.callCredentials())
              .withStreamTracerFactory(sent);
      ClientCalls.asyncUnaryCall(
          channels.to(endpoint).newCall(method, options),
          request,
          new StreamObserver<A>() {
            @Override
            public void onNext(A answer) {
              nodes.heard(answer);
              result.complete(answer);
            }

            @Override
            public void onError(Throwable failure) {
              onFailure(FailureReader.read(failure, isRead || !sent.maybe()), endpoint, turn);
            }

            @Override
            public void onCompleted() {
              if (!result.isDone()) {
                onError(Status.INTERNAL.withDescription("an end without an answer").asException());
              }
            }
          });
    }

    private void onFailure(HoldfastException failure, Endpoint endpoint, int turn) {
      Throwable cause = failure.getCause();
      Optional<Refusal> refusal = cause == null ? Optional.empty() : FailureReader.refusal(cause);
      boolean mayHaveEffect = isInTheDark && refusal.filter(UnaryCalls::isPassing).isPresent();
      if (failure instanceof RequestRefused && !mayHaveEffect) {
        result.completeExceptionally(failure);
        return;
      }
      isInTheDark |= failure instanceof Indeterminate;
      if (cause != null && refusal.isEmpty()) {
        channels.reconnect(endpoint);
        nodes.trouble();
      }
      preferred.compareAndSet(turn, turn + 1);
      int failed = attempts.incrementAndGet();
      boolean isUnknown =
          cause != null
              && FailureReader.isUnknownThere(cause)
              && failed >= nodes.list().size(); // a node of another release may know the call
      long pause = pauseMillis(failed);
      long left = endsAt - settings.nanoClock().getAsLong();
      if (isUnknown || left <= TimeUnit.MILLISECONDS.toNanos(pause)) {
        result.completeExceptionally(
            isInTheDark && !(failure instanceof Indeterminate)
                ? new Indeterminate(String.valueOf(failure.getMessage()), failure)
                : failure);
      } else if (!result.isDone()) {
        later(pause).execute(this::attempt);
      }
    }

    /**
     * Returns the pause before the next attempt: none between two nodes, and a growing one after
     * each round.
     */
    private long pauseMillis(int failed) {
      int all = nodes.list().size();
      int rounds = Math.max(1, failed / all);
      return failed % all != 0 ? 0 : FIRST_PAUSE_MILLIS << Math.min(rounds - 1, PAUSE_DOUBLINGS);
    }

    private Executor later(long millis) {
      return millis == 0
          ? settings.callbacks()
          : CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, settings.callbacks());
    }
  }

  /** Records if a call got a connection, and so may have reached a node. */
  private static final class Sent extends ClientStreamTracer.Factory {

    private final AtomicBoolean maybe = new AtomicBoolean();

    boolean maybe() {
      return maybe.get();
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new ClientStreamTracer() {
        @Override
        public void streamCreated(Attributes transport, Metadata headers) {
          maybe.set(true);
        }
      };
    }
  }
}
