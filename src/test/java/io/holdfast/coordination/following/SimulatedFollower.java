package io.holdfast.coordination.following;

import io.holdfast.coordination.hosting.FollowersActor;
import io.holdfast.coordination.hosting.SimulatedFollowersActor;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.MemberLog;
import io.holdfast.coordination.member.OwnThread;
import io.holdfast.coordination.state.SessionTimes;
import java.util.List;
import java.util.function.Consumer;

/**
 * A service that follows the log, in virtual time and without Akka: the real rules, behind the real
 * log of a service, in the mailbox of a simulated actor.
 */
public final class SimulatedFollower {

  /** The process around a follower: its clock, and its links to nodes. */
  public interface Host {

    /** Its monotonic clock. */
    long nowMs();

    /** Notes that this entry is proposed to the log, for the first time or again. */
    void puts(byte[] entry);

    /**
     * Sends a message to the {@link FollowersActor} of the node with this Akka address. It may be
     * lost.
     */
    void toNode(String node, Object what, Consumer<SimulatedFollowersActor> action);

    /** Brings a message from that node to this process. It may be lost. */
    void fromNode(String node, Object what, Runnable action);
  }

  private final Host process;
  private final OwnThread mailbox;
  private final Following following;

  public SimulatedFollower(
      Host process,
      CoordinationReplica replica,
      List<String> contacts,
      SessionTimes times,
      OwnThread mailbox) {
    this.process = process;
    this.mailbox = mailbox;
    following = new Following(replica, contacts, times, this::send, process.nowMs());
  }

  /** Begins to follow. */
  public void begin() {
    mailbox.run(following::begin);
    mailbox.every(Following.LOOK_EVERY.toMillis(), () -> following.look(process.nowMs()));
  }

  /** Returns the log of this service. */
  public MemberLog log() {
    return new DistantLog(this::ask);
  }

  private void ask(Following.Question question) {
    if (question instanceof Following.Propose propose) {
      process.puts(propose.payload().array());
      mailbox.run(() -> following.propose(propose, process.nowMs()));
    } else if (question instanceof Following.CatchUp catchUp) {
      mailbox.run(() -> following.catchUp(catchUp, process.nowMs()));
    }
  }

  private void send(String node, LogMessage.ToNode message) {
    process.toNode(node, message, actor -> actor.receive(this, message));
  }

  /** Takes a message of the node with this address. */
  public void sent(String node, LogMessage.FromNode message) {
    process.fromNode(
        node, message, () -> mailbox.run(() -> following.receive(node, message, process.nowMs())));
  }
}
