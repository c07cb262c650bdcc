package holdfast.client;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A connection to a Holdfast cluster, for all threads of a process. Any node serves any lock.
 *
 * <pre>{@code
 * try (HoldfastClient client = HoldfastClient.connect("127.0.0.1:7400");
 *     Grant grant = client.lock("orders/42").acquire(Duration.ofSeconds(30))) {
 *   store.write(order, grant.fencingToken());
 * }
 * }</pre>
 */
public final class HoldfastClient implements AutoCloseable {

  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  /** How long a connection may be silent in a call before it is asked for a sign of life. */
  private static final Duration SILENT_AFTER = Duration.ofSeconds(10); // gRPC allows no less

  private static final Duration DEAD_AFTER = Duration.ofSeconds(2);

  /** For calls that are answered at once. */
  private final ManagedChannel prompt;

  /** For calls that wait in line: they must not take all streams from the release they wait for. */
  private final ManagedChannel inLine;

  private final LockCalls calls;

  HoldfastClient(ManagedChannel prompt, ManagedChannel inLine, LongSupplier nanoClock) {
    this.prompt = prompt;
    this.inLine = inLine;
    this.calls = new LockCalls(prompt, inLine, nanoClock);
  }

  /**
   * Connects to a node. Returns at once: the first request finds out whether it can be reached.
   *
   * @param endpoint {@code host:port}, or {@code [address]:port} for IPv6
   */
  public static HoldfastClient connect(String endpoint) {
    return new HoldfastClient(channel(endpoint), channel(endpoint), System::nanoTime);
  }

  static ManagedChannel channel(String endpoint) {
    Endpoint node = Endpoint.parse(endpoint);
    return Grpc.newChannelBuilderForAddress(
            node.host(), node.port(), InsecureChannelCredentials.create())
        .keepAliveTime(SILENT_AFTER.toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(DEAD_AFTER.toMillis(), TimeUnit.MILLISECONDS)
        .build();
  }

  /** A handle to ask for a lock. Locks need not be created: every valid key can be locked. */
  public HoldfastLock lock(String key) {
    return new HoldfastLock(calls, key, HoldfastLock.DEFAULT_TTL);
  }

  /**
   * Reads who holds a lock.
   *
   * @throws RequestRefused if the key is not valid
   * @throws Unavailable if no answer came
   */
  public LockStatus get(String key) {
    return Blocking.join(getting(key));
  }

  /** As {@link #get}, without waiting. */
  public CompletionStage<LockStatus> getAsync(String key) {
    return getting(key);
  }

  private CompletableFuture<LockStatus> getting(String key) {
    return calls.getLock(key).thenApply(answer -> LockStatus.of(key, answer));
  }

  /**
   * Releases a lock by the token of its grant, for whom the {@link Grant} itself is out of reach.
   *
   * @return false if the token was not held
   * @throws RequestRefused if key or token are not valid
   * @throws Unavailable if no node could serve it
   * @throws Indeterminate if no answer came
   */
  public boolean unlock(String key, long fencingToken) {
    return Blocking.join(calls.unlock(calls.unlockRequest(key, fencingToken)));
  }

  /** As {@link #unlock}, without waiting. */
  public CompletionStage<Boolean> unlockAsync(String key, long fencingToken) {
    return calls.unlock(calls.unlockRequest(key, fencingToken));
  }

  /**
   * Closes the connection. Calls that are open get a few seconds to end, then they fail. Grants are
   * not released by it: those still open end with their ttl.
   */
  @Override
  public void close() {
    prompt.shutdown();
    inLine.shutdown();
    try {
      if (!inLine.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
          || !prompt.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        closeNow();
      }
    } catch (InterruptedException e) {
      closeNow();
      Thread.currentThread().interrupt();
    }
  }

  private void closeNow() {
    prompt.shutdownNow();
    inLine.shutdownNow();
  }
}
