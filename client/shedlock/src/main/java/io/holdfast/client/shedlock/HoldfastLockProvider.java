package io.holdfast.client.shedlock;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Keeps scheduled tasks from running twice, by locks of a Holdfast cluster.
 *
 * <p>A lock is renewed while its task runs, and released at {@code lockAtMostFor} by this process.
 * If the process dies, it ends with its ttl: {@code lockAtLeastFor}, and 10 s at least, after the
 * last renewal. No clock of one process is compared with that of another.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider {

  private static final Duration MIN_TTL = Duration.ofSeconds(10);
  private static final Duration MAX_TTL = Duration.ofHours(24);

  private final HoldfastClient client;
  private final String prefix;

  /** Locks under the names that the tasks have, in a cluster that the client stays connected to. */
  public HoldfastLockProvider(HoldfastClient client) {
    this(client, /* prefix= */ "");
  }

  /**
   * As the other one.
   *
   * @param prefix stands before each name, and makes a key of it: "scheduled/" for example
   */
  public HoldfastLockProvider(HoldfastClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    Optional<Grant> grant =
        client.lock(prefix + configuration.getName()).withTtl(ttl(configuration)).tryAcquire();
    return grant.map(held -> new TaskLock(configuration, held));
  }

  private static Duration ttl(LockConfiguration configuration) {
    Duration least = configuration.getLockAtLeastFor();
    Duration ttl = least.compareTo(MIN_TTL) < 0 ? MIN_TTL : least;
    return ttl.compareTo(MAX_TTL) > 0 ? MAX_TTL : ttl;
  }
}
