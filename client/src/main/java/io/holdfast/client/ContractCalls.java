package io.holdfast.client;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Plain calls of the contract: requests and answers of {@code holdfast.v1}, for tools that use the
 * messages directly. The client chooses the node, and fails over to the next one.
 *
 * <p>Every call blocks until it is answered, and throws as those of {@link HoldfastClient} do.
 */
public final class ContractCalls {

  private static final long STREAM_WITHIN_MINUTES = 60;

  private final NodeChannels channels;
  private final KnownNodes nodes;
  private final ClientSettings settings;
  private final UnaryCalls calls;

  ContractCalls(
      NodeChannels channels, KnownNodes nodes, ClientSettings settings, UnaryCalls calls) {
    this.channels = channels;
    this.nodes = nodes;
    this.settings = settings;
    this.calls = calls;
  }

  /** The name of this client. */
  public String clientId() {
    return settings.clientId();
  }

  /**
   * Sends a request that may change something. It is retried if no answer comes, so it must carry
   * an id for deduplication or be idempotent.
   */
  public <Q, A> A ask(MethodDescriptor<Q, A> method, Q request) {
    return Blocking.join(calls.call(method, request, /* isRead= */ false));
  }

  /** Sends a read. */
  public <Q, A> A read(MethodDescriptor<Q, A> method, Q request) {
    return Blocking.join(calls.call(method, request, /* isRead= */ true));
  }

  /**
   * Reads a stream of answers from one node. It fails over to another node only before the first
   * answer.
   */
  public <Q, A> void readAll(MethodDescriptor<Q, A> method, Q request, Consumer<A> each) {
    ArgumentChecks.message(request);
    HoldfastException failed = null;
    for (Endpoint endpoint : nodes.list()) {
      CallOptions options =
          CallOptions.DEFAULT
              .withDeadlineAfter(STREAM_WITHIN_MINUTES, TimeUnit.MINUTES)
              .withCallCredentials(settings.callCredentials());
      boolean hasBegun = false;
      try {
        Iterator<A> answers =
            ClientCalls.blockingServerStreamingCall(
                channels.to(endpoint), method, options, request);
        while (answers.hasNext()) {
          A answer = answers.next();
          hasBegun = true;
          each.accept(answer);
        }
        return;
      } catch (io.grpc.StatusRuntimeException e) {
        failed = FailureReader.read(e, /* harmless= */ true);
        if (hasBegun || failed instanceof RequestRefused) {
          throw failed;
        }
      }
    }
    throw failed == null ? new Unavailable("no endpoint is given", null) : failed;
  }
}
