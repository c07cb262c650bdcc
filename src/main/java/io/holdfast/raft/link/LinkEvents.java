package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;

/** Receives the events of the links, on the thread that polls them, from within a poll. */
public interface LinkEvents {

  /**
   * A message arrived. Its sender was admitted as a member of the same cluster and group.
   *
   * @throws ImplausibleMessage if no member can have sent it: then the link is ended, as if it had
   *     broken the format
   */
  void received(Message message);

  /**
   * A connection with the peer broke, in either direction. What was sent on it may have arrived.
   */
  void connectionLost(MemberId peer);

  /**
   * The peer's process has provably ended: a connection with it was closed, and now the kernel at
   * its address refuses connections. Told once for each loss.
   */
  void peerGone(MemberId peer);

  /** A question arrived, perhaps from no member; the answer is sent back as it is. */
  byte[] asked(byte[] question);
}
