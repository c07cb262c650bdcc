package io.holdfast.raft.link;

import io.holdfast.raft.core.Message;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The links of one member with its peers.
 *
 * <p>Guarantee: messages to one peer arrive in the order they were sent, each once and whole, or
 * not at all. One that finds its queue full, or no connection, is dropped.
 *
 * <p>Thread: all calls but {@link #wakeup} come from one thread and do not block it, except {@link
 * #poll}, which waits as long as it is told.
 */
public interface PeerLinks extends AutoCloseable {

  /** The port that is listened on. */
  int port();

  /** This member belongs to this cluster from now on; members of another are refused. */
  void belongTo(long clusterId);

  /**
   * Keeps connections to exactly these peers from now on, and to others of the cluster as long as
   * they have one to this member.
   */
  void keep(Collection<Peer> peers);

  /** Queues a message to the peer it names. */
  void send(Message message);

  /** Hands what is queued to the kernel, as far as it takes it. */
  void flush();

  /**
   * Waits up to {@code timeoutMs} for something to happen on the network, tells {@link LinkEvents}
   * of all that has, and returns; 0 does not wait. Also returns after {@link #wakeup}.
   */
  void poll(long timeoutMs);

  /** Ends a {@link #poll} that is waiting, or the next one at once. */
  void wakeup();

  /**
   * Asks whoever listens at an address, member or not, one question on a connection of its own. The
   * answer, or empty if there is none within the handshake's time, comes from within a later poll.
   */
  void ask(String address, byte[] question, Consumer<Optional<byte[]>> answer);

  /** Closes all connections and the port. */
  @Override
  void close();
}
