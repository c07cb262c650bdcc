package io.holdfast.client;

import io.holdfast.v1.CancelResponse;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.UnlockResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The addresses of nodes: the configured ones, all addresses of their names, and those learned from
 * nodes. Addresses are added up to a limit, and never removed.
 */
final class KnownNodes {

  private static final Logger LOG = System.getLogger("io.holdfast.client");
  private static final int MAX = 64;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Resolves names. */
  interface Names {
    InetAddress[] resolve(String name) throws UnknownHostException;
  }

  private final Names names;
  private final List<Endpoint> named;
  private final CopyOnWriteArrayList<Endpoint> all;
  private final ReentrantLock adding = new ReentrantLock();
  private final AtomicBoolean isResolving = new AtomicBoolean();

  KnownNodes(List<Endpoint> given, Names names) {
    this.names = names;
    this.named = given.stream().filter(Endpoint::isName).toList();
    this.all = new CopyOnWriteArrayList<>(given);
    resolve();
  }

  /** Returns all addresses, the configured ones first. */
  List<Endpoint> list() {
    return all;
  }

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException if the text is not an address
   */
  Endpoint find(String text) {
    Optional<Endpoint> known =
        all.stream().filter(node -> node.toString().equals(text)).findFirst();
    return known.isPresent() ? known.get() : Endpoint.parse(text);
  }

  /** Adds an address. */
  void learn(Endpoint node) {
    adding.lock();
    try {
      boolean isKnown = all.stream().anyMatch(known -> known.isSame(node));
      if (!isKnown && all.size() < MAX) {
        all.add(node);
      }
    } finally {
      adding.unlock();
    }
  }

  /** Adds the address of the owner that an answer names. */
  void heard(Object answer) {
    String endpoint = owner(answer).getEndpoint();
    if (!endpoint.isEmpty()) {
      try {
        learn(Endpoint.parse(endpoint));
      } catch (IllegalArgumentException e) {
        LOG.log(Level.DEBUG, "told of a node that cannot be reached: {0}", e.getMessage());
      }
    }
  }

  private static OwnerHint owner(Object answer) {
    if (answer instanceof LockResponse lock) {
      return lock.getOwner();
    } else if (answer instanceof UnlockResponse unlock) {
      return unlock.getOwner();
    } else if (answer instanceof RenewResponse renew) {
      return renew.getOwner();
    } else if (answer instanceof CancelResponse cancel) {
      return cancel.getOwner();
    } else if (answer instanceof GetLockResponse get) {
      return get.getOwner();
    }
    return OwnerHint.getDefaultInstance();
  }

  /** Resolves names again after a failed connection: their addresses may have changed. */
  void trouble() {
    resolve();
  }

  /* On its own thread: a lookup may take long, and callers must not wait for it. */
  private void resolve() {
    if (named.isEmpty() || isResolving.getAndSet(true)) {
      return;
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                named.forEach(this::resolve);
                LockSupport.parkNanos(this, PAUSE_NANOS);
              } finally {
                isResolving.set(false);
              }
            },
            "holdfast-names");
    thread.setDaemon(true);
    thread.start();
  }

  private void resolve(Endpoint name) {
    try {
      InetAddress[] found = names.resolve(name.host());
      if (found.length > 1) { // a name with one address needs no other entry
        List.of(found).forEach(address -> learn(name.at(address)));
      }
    } catch (UnknownHostException e) {
      LOG.log(Level.DEBUG, "[{0}] is not found: {1}", name, e.getMessage());
    }
  }
}
