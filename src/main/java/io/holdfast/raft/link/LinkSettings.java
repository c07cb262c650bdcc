package io.holdfast.raft.link;

/**
 * The bounds and times of the links.
 *
 * @param maxQueueBytes the largest size of the queue for one peer; a message beyond it is dropped
 * @param maxInputBytes room for frames that have not arrived whole, of all connections together
 * @param maxPendingHandshakes accepted connections without a complete handshake; a further one ends
 *     the oldest
 * @param maxInbound admitted connections
 * @param maxQuestions questions asked and not answered
 * @param connectTimeoutMs the time that a peer's kernel may take to accept a connection
 * @param handshakeTimeoutMs the time that a handshake, or a question, may take from its connection
 *     on
 * @param backoffMinMs the wait before the second try to reach a peer; it doubles with each
 * @param backoffMaxMs the longest wait, and the one after a refusal
 * @param unreachedBackoffMaxMs the same as long as the peer was never linked with
 * @param pingMs the interval of pings by the dialing end
 * @param silenceMs the time for which the dialing end tolerates the silence of the other
 * @param inboundSilenceMs the time for which the accepting end tolerates that no ping comes
 * @param goneWithinMs the time after a loss within which a refusing port still counts as its
 *     explanation
 * @param socketBufferBytes the kernel's buffers of a connection; 0 leaves them to the kernel
 */
public record LinkSettings(
    int maxQueueBytes,
    int maxInputBytes,
    int maxPendingHandshakes,
    int maxInbound,
    int maxQuestions,
    long connectTimeoutMs,
    long handshakeTimeoutMs,
    long backoffMinMs,
    long backoffMaxMs,
    long unreachedBackoffMaxMs,
    long pingMs,
    long silenceMs,
    long inboundSilenceMs,
    long goneWithinMs,
    int socketBufferBytes) {

  /** The settings for members within one region. */
  public static final LinkSettings USUAL =
      new LinkSettings(
          32 << 20, 128 << 20, 64, 64, 16, 1000, 2000, 20, 1000, 30_000, 1000, 3000, 5000, 10_000,
          0);

  public LinkSettings {
    positive("maxQueueBytes", maxQueueBytes);
    atMost("maxQueueBytes", maxQueueBytes, 512 << 20);
    positive("maxInputBytes", maxInputBytes);
    positive("maxPendingHandshakes", maxPendingHandshakes);
    positive("maxInbound", maxInbound);
    positive("maxQuestions", maxQuestions);
    positive("connectTimeoutMs", connectTimeoutMs);
    positive("handshakeTimeoutMs", handshakeTimeoutMs);
    positive("backoffMinMs", backoffMinMs);
    atLeast("backoffMaxMs", backoffMaxMs, backoffMinMs);
    atLeast("unreachedBackoffMaxMs", unreachedBackoffMaxMs, backoffMaxMs);
    positive("pingMs", pingMs);
    atLeast("silenceMs", silenceMs, 2 * pingMs);
    atLeast("inboundSilenceMs", inboundSilenceMs, 2 * pingMs);
    atLeast("goneWithinMs", goneWithinMs, 0);
    atLeast("socketBufferBytes", socketBufferBytes, 0);
  }

  /** The same with another bound on what waits for one peer. */
  public LinkSettings withMaxQueueBytes(int bytes) {
    return new LinkSettings(
        bytes,
        maxInputBytes,
        maxPendingHandshakes,
        maxInbound,
        maxQuestions,
        connectTimeoutMs,
        handshakeTimeoutMs,
        backoffMinMs,
        backoffMaxMs,
        unreachedBackoffMaxMs,
        pingMs,
        silenceMs,
        inboundSilenceMs,
        goneWithinMs,
        socketBufferBytes);
  }

  /** The same with another bound on frames that have not arrived whole. */
  public LinkSettings withMaxInputBytes(int bytes) {
    return new LinkSettings(
        maxQueueBytes,
        bytes,
        maxPendingHandshakes,
        maxInbound,
        maxQuestions,
        connectTimeoutMs,
        handshakeTimeoutMs,
        backoffMinMs,
        backoffMaxMs,
        unreachedBackoffMaxMs,
        pingMs,
        silenceMs,
        inboundSilenceMs,
        goneWithinMs,
        socketBufferBytes);
  }

  /** The same with other buffers in the kernel. */
  public LinkSettings withSocketBufferBytes(int bytes) {
    return new LinkSettings(
        maxQueueBytes,
        maxInputBytes,
        maxPendingHandshakes,
        maxInbound,
        maxQuestions,
        connectTimeoutMs,
        handshakeTimeoutMs,
        backoffMinMs,
        backoffMaxMs,
        unreachedBackoffMaxMs,
        pingMs,
        silenceMs,
        inboundSilenceMs,
        goneWithinMs,
        bytes);
  }

  private static void positive(String name, long value) {
    atLeast(name, value, 1);
  }

  private static void atMost(String name, long value, long most) {
    if (value > most) {
      throw new IllegalArgumentException(
          name + " [" + value + "] exceeds the maximum [" + most + "]");
    }
  }

  private static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          name + " [" + value + "] is below the minimum [" + least + "]");
    }
  }
}
