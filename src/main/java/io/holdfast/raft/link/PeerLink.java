package io.holdfast.raft.link;

import io.holdfast.raft.core.Message;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one peer: dials it again and again, and hands it messages while it is connected.
 *
 * <p>It also judges whether the peer's process has ended. A loss of an established connection that
 * the other end closed, followed by a port that refuses, is the proof.
 */
final class PeerLink {

  private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

  /** A connection that is lost sooner is no reason to begin the waits again. */
  private static final long STABLE_MS = 100;

  private final LinkContext context;
  private final Handshake handshake;
  private final Peer peer;
  private final DialBackoff backoff;
  private final Set<String> refusalsTold = new HashSet<>();

  private @Nullable Outbound connection;
  private boolean resolving;
  private boolean closed;
  private long retryAt;
  private long establishedAt;

  /** Until when a refusing port explains the last loss. */
  private long unexplainedUntil = -LinkContext.NEVER;

  /** True if the peer's end was told, and it has not been heard of since. */
  private boolean gone;

  PeerLink(LinkContext context, Handshake handshake, Peer peer) {
    this.context = context;
    this.handshake = handshake;
    this.peer = peer;
    this.backoff = new DialBackoff(context.random.split(), context.settings);
    retryIn(0);
  }

  Peer peer() {
    return peer;
  }

  void send(Message message) {
    Outbound current = connection;
    if (current == null || current.welcome() == null) {
      context.counters.countDroppedUnlinked();
    } else if (current.output.offer(message, context.settings.maxQueueBytes())) {
      context.counters.countSent();
    } else {
      context.counters.countDroppedFull();
    }
  }

  void flush() {
    if (connection != null) {
      connection.flush();
    }
  }

  void tick(long now) {
    if (connection != null || resolving || context.cluster() == 0) {
      return;
    }
    if (now < retryAt) {
      context.wakeBy(retryAt);
    } else {
      resolving = true;
      context.resolver.resolve(peer.address(), this::dial);
    }
  }

  void close() {
    closed = true;
    if (connection != null) {
      connection.discard();
      connection = null;
    }
  }

  /** The peer introduced itself on a connection that it dialed. */
  void introduced(long incarnation) {
    heardOf();
    Outbound current = connection;
    Welcome welcome = current == null ? null : current.welcome();
    if (current != null && welcome != null && welcome.incarnation() < incarnation) {
      current.end(LinkEnding.CLOSED, "it is connected to an earlier life of the peer");
    } else if (current == null || current.isConnecting()) {
      redial();
    }
  }

  /** A connection that the peer had dialed ended. */
  void inboundEnded(LinkEnding ending) {
    if (ending == LinkEnding.CUT && !gone) {
      unexplainedUntil = context.now() + context.settings.goneWithinMs();
      if (connection == null) {
        backoff.resetToProbes();
        retryIn(backoff.nextMs());
      }
    }
  }

  void established(Welcome welcome) {
    LOG.info("linked with {} at {}", peer.id(), peer.address());
    context.counters.countEstablished();
    heardOf();
    establishedAt = context.now();
    refusalsTold.clear();
    backoff.reached();
    for (PeerLink other : context.links.all()) {
      other.tryNow();
    }
  }

  /** Another peer was reached: what kept this one away may be over, too. */
  private void tryNow() {
    if (connection == null && !resolving && !backoff.isReached()) {
      retryIn(0);
    }
  }

  void refused(Refused refused) {
    connection = null;
    context.counters.countRefused();
    warnOnce("code " + refused.code(), refused.text());
    backoff.slowDown();
    retryIn(backoff.nextMs());
  }

  void ended(LinkEnding ending, boolean wasEstablished, String why) {
    connection = null;
    if (wasEstablished) {
      LOG.info("lost the link with {} at {}: {}", peer.id(), peer.address(), why);
      lost(ending);
      return;
    }
    boolean proof = ending == LinkEnding.PORT_REFUSED && context.now() <= unexplainedUntil;
    if (proof) {
      backoff.reset();
      unexplainedUntil = -LinkContext.NEVER;
      gone = true;
    } else if (ending == LinkEnding.UNTRUSTED) {
      warnOnce("untrusted", why);
      backoff.slowDown();
    } else {
      LOG.debug("no link with {} at {}: {}", peer.id(), peer.address(), why);
    }
    retryIn(backoff.nextMs());
    if (proof) {
      handshake.close(peer.id(), "the peer's process has ended");
      context.events.peerGone(peer.id());
    }
  }

  private void lost(LinkEnding ending) {
    boolean wasStable = context.now() - establishedAt >= STABLE_MS;
    if (ending == LinkEnding.CUT) {
      unexplainedUntil = context.now() + context.settings.goneWithinMs();
    }
    if (ending == LinkEnding.UNTRUSTED) {
      backoff.slowDown();
    } else if (wasStable) {
      backoff.resetToProbes();
    }
    retryIn(backoff.nextMs());
    context.counters.countLost();
    context.events.connectionLost(peer.id());
  }

  private void warnOnce(String reason, String text) {
    if (refusalsTold.add(reason)) {
      LOG.warn("no link with {} at {}: {}", peer.id(), peer.address(), text);
    }
  }

  private void heardOf() {
    unexplainedUntil = -LinkContext.NEVER;
    gone = false;
  }

  private void redial() {
    if (connection != null) {
      connection.discard();
      connection = null;
    }
    retryIn(0);
  }

  private void dial(@Nullable InetSocketAddress address) {
    resolving = false;
    if (closed) {
      return;
    }
    try {
      if (address == null) {
        throw new IOException("the address is not known");
      }
      connection = new Outbound(context, this);
    } catch (IOException e) {
      ended(LinkEnding.CUT, false, String.valueOf(e.getMessage()));
      return;
    }
    connection.connect(address);
  }

  private void retryIn(long waitMs) {
    retryAt = context.now() + waitMs;
    context.wakeBy(retryAt);
  }
}
