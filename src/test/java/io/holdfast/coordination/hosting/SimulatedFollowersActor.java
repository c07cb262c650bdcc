package io.holdfast.coordination.hosting;

import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.following.LogMessage;
import io.holdfast.coordination.following.SimulatedFollower;
import io.holdfast.coordination.member.OwnThread;
import java.util.function.LongSupplier;

/**
 * The {@link FollowersActor} of a node, in virtual time and without Akka: the real rules for
 * followers, in the mailbox of a simulated actor.
 */
public final class SimulatedFollowersActor {

  private static final long LOOK_EVERY_MS = 1_000;

  private final String address;
  private final OwnThread mailbox;
  private final LongSupplier nowMs;
  private final Followers<SimulatedFollower> followers;

  /**
   * Starts it.
   *
   * @param address the Akka address of the node
   */
  public SimulatedFollowersActor(
      NodeCoordination coordination, String address, OwnThread mailbox, LongSupplier nowMs) {
    this.address = address;
    this.mailbox = mailbox;
    this.nowMs = nowMs;
    followers = new Followers<>(coordination, mailbox::run, this::send);
    var unused = followers.listen();
    mailbox.every(LOOK_EVERY_MS, () -> followers.look(nowMs.getAsLong()));
  }

  private void send(SimulatedFollower to, LogMessage.FromNode message) {
    to.sent(address, message);
  }

  public void receive(SimulatedFollower from, LogMessage.ToNode message) {
    mailbox.run(() -> followers.receive(from, message, nowMs.getAsLong()));
  }
}
