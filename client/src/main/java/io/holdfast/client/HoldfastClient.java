package io.holdfast.client;

import io.holdfast.v1.WatchCreate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The client of a Holdfast cluster, one for each process, for all its threads. Its locks live on
 * one session. A thread of its own keeps the session alive over streams to all nodes.
 *
 * <pre>{@code
 * try (HoldfastClient client = HoldfastClient.connect("127.0.0.1:7400");
 *     Grant grant = client.lock("orders/42").acquire(Duration.ofSeconds(30))) {
 *   store.write(order, grant.fencingToken());
 * }
 * }</pre>
 */
public final class HoldfastClient implements AutoCloseable {

  /** The maximum length of a list. */
  public static final int MAX_LIST = 100_000;

  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  private final ClientSettings settings;
  private final NodeChannels channels;
  private final KnownNodes nodes;
  private final UnaryCalls calls;
  private final LockReads reads;
  private final LockWrites writes;
  private final ReentrantLock opening = new ReentrantLock();
  private volatile @Nullable SessionLoop session;
  private volatile boolean isClosed;

  HoldfastClient(ClientSettings settings) {
    this.settings = settings;
    this.channels = new NodeChannels(settings);
    this.nodes = new KnownNodes(settings.endpoints(), settings.names());
    this.calls = new UnaryCalls(channels, nodes, settings);
    this.reads = new LockReads(calls);
    this.writes = new LockWrites(calls);
  }

  /**
   * Creates a client that connects to a cluster by any of its nodes. It returns at once; the first
   * request connects.
   *
   * @param endpoints each {@code host:port}, or {@code [address]:port} for IPv6
   */
  public static HoldfastClient connect(String... endpoints) {
    ClientBuilder builder = builder();
    List.of(endpoints).forEach(builder::endpoint);
    return builder.connect();
  }

  /** Returns a builder, for further settings. */
  public static ClientBuilder builder() {
    return new ClientBuilder();
  }

  /**
   * Returns a handle of a lock. Locks need not be created: every valid key can be locked.
   *
   * @param key 1 to 512 bytes of UTF-8 without control characters
   * @throws RequestRefused if the key is not valid
   */
  public HoldfastLock lock(String key) {
    return new HoldfastLock(this::session, settings, ArgumentChecks.key(key), /* ownTtl= */ null);
  }

  /** The session opens with the first lock: a client that only reads has none. */
  private SessionLoop session() {
    SessionLoop open = session;
    if (open != null) {
      return open;
    }
    opening.lock();
    try {
      open = session;
      if (open == null) {
        if (isClosed) {
          throw new Unavailable("the client is closed", null);
        }
        open = new SessionLoop(channels, nodes, settings);
        open.start();
        session = open;
      }
      return open;
    } finally {
      opening.unlock();
    }
  }

  /**
   * Reads the holders of a lock.
   *
   * @throws RequestRefused if the key is not valid
   * @throws Unavailable if no answer came
   */
  public LockStatus get(String key) {
    return Blocking.join(reads.get(ArgumentChecks.key(key)));
  }

  /** As {@link #get}, without waiting. */
  public CompletionStage<LockStatus> getAsync(String key) {
    return handedOver(reads.get(ArgumentChecks.key(key)));
  }

  /**
   * Lists the held locks under a prefix, in the order of their keys.
   *
   * @param limit the largest number of results, up to {@link #MAX_LIST}
   */
  public List<LockStatus> list(String prefix, int limit) {
    return Blocking.join(reads.list(ArgumentChecks.prefix(prefix), requireLimit(limit)));
  }

  /** As {@link #list}, without waiting. */
  public CompletionStage<List<LockStatus>> listAsync(String prefix, int limit) {
    return handedOver(reads.list(ArgumentChecks.prefix(prefix), requireLimit(limit)));
  }

  /** Reads whether a token is held on a key. */
  public TokenStatus validate(String key, long fencingToken) {
    return Blocking.join(reads.validate(ArgumentChecks.key(key), fencingToken));
  }

  /** As {@link #validate}, without waiting. */
  public CompletionStage<TokenStatus> validateAsync(String key, long fencingToken) {
    return handedOver(reads.validate(ArgumentChecks.key(key), fencingToken));
  }

  /**
   * Lists the shared leases of the cluster, those of sessions among them.
   *
   * @param limit the largest number of results, up to {@link #MAX_LIST}
   */
  public List<LeaseStatus> leases(int limit) {
    return Blocking.join(reads.leases(requireLimit(limit)));
  }

  /** As {@link #leases}, without waiting. */
  public CompletionStage<List<LeaseStatus>> leasesAsync(int limit) {
    return handedOver(reads.leases(requireLimit(limit)));
  }

  private static int requireLimit(int limit) {
    if (limit < 1 || limit > MAX_LIST) {
      throw new IllegalArgumentException(
          "limit [%d] is not within [1] and [%d]".formatted(limit, MAX_LIST));
    }
    return limit;
  }

  /** Watches one lock, starting now. */
  public LockWatch watch(String key, LockListener listener) {
    return watch(WatchCreate.newBuilder().setKey(ArgumentChecks.key(key)).build(), listener);
  }

  /** Watches all locks whose keys have the prefix, starting now; an empty prefix stands for all. */
  public LockWatch watchPrefix(String prefix, LockListener listener) {
    return watch(
        WatchCreate.newBuilder().setPrefix(ArgumentChecks.prefix(prefix)).build(), listener);
  }

  /**
   * Watches one lock, starting with a past or future revision.
   *
   * @param fromRevision the first revision to report; positive. If it is compacted, the watch ends
   *     with {@code REASON_COMPACTED}.
   */
  public LockWatch watch(String key, long fromRevision, LockListener listener) {
    return watch(
        WatchCreate.newBuilder()
            .setKey(ArgumentChecks.key(key))
            .setStartRevision(fromRevision)
            .build(),
        listener);
  }

  /** As {@link #watch(String, long, LockListener)}, for all locks whose keys have the prefix. */
  public LockWatch watchPrefix(String prefix, long fromRevision, LockListener listener) {
    return watch(
        WatchCreate.newBuilder()
            .setPrefix(ArgumentChecks.prefix(prefix))
            .setStartRevision(fromRevision)
            .build(),
        listener);
  }

  private LockWatch watch(WatchCreate what, LockListener listener) {
    Objects.requireNonNull(listener, "listener");
    return new LockWatch(channels, nodes, settings, what, listener).start();
  }

  /** Returns the plain calls of the contract, for tools. */
  public ContractCalls calls() {
    return new ContractCalls(channels, nodes, settings, calls);
  }

  /**
   * Takes a lock for a fixed time, independent of this process: it is not renewed. It ends with
   * {@link #unlock} or its ttl.
   *
   * @param ttl 100 ms to 24 h
   * @return the fencing token, or nothing if others hold the lock
   * @throws RequestRefused if key or ttl are not valid
   * @throws Unavailable if no node could serve it
   * @throws Indeterminate if the outcome of an attempt is unknown; a grant without an answer ends
   *     with its ttl
   */
  public OptionalLong take(String key, Duration ttl) {
    return Blocking.join(writes.take(ArgumentChecks.key(key), ArgumentChecks.ttl(ttl)));
  }

  /** As {@link #take}, without waiting. Cancelling the stage's future releases the lock. */
  public CompletionStage<OptionalLong> takeAsync(String key, Duration ttl) {
    return HandedOver.to(
        settings.callbacks(),
        writes.take(ArgumentChecks.key(key), ArgumentChecks.ttl(ttl)),
        token -> writes.giveBack(key, token));
  }

  /**
   * Releases a lock by the token of its grant, for code that does not have the {@link Grant}.
   *
   * @return false if the token was not held
   * @throws RequestRefused if key or token are not valid
   * @throws Unavailable if no node could serve it
   * @throws Indeterminate if no answer came
   */
  public boolean unlock(String key, long fencingToken) {
    return Blocking.join(writes.unlock(ArgumentChecks.key(key), fencingToken));
  }

  /** As {@link #unlock}, without waiting. */
  public CompletionStage<Boolean> unlockAsync(String key, long fencingToken) {
    return handedOver(writes.unlock(ArgumentChecks.key(key), fencingToken));
  }

  private <T> CompletableFuture<T> handedOver(CompletableFuture<T> inner) {
    return HandedOver.to(settings.callbacks(), inner);
  }

  /**
   * Ends the session, and with it all grants and waiting requests of this client, and closes the
   * connections. It takes two seconds at most. If no node answers in that time, the grants expire
   * with the session.
   */
  @Override
  public void close() {
    SessionLoop open;
    opening.lock();
    try {
      isClosed = true;
      open = session;
    } finally {
      opening.unlock();
    }
    if (open != null) {
      end(open);
    }
    channels.close();
  }

  private static void end(SessionLoop open) {
    open.post((core, now) -> core.close(now));
    try {
      open.ended().get(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      // No node answers: the grants expire with the session.
    }
    open.post((core, now) -> core.closeNow(now));
  }
}
