package io.holdfast.coordination.following;

import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.OwnThread;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.MemberId;
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

    /** This entry is put to the log, for the first time or again. */
    void puts(byte[] entry);

    /** Brings something to the desk of the node that has this Akka address; or it is lost. */
    void toNode(String node, Object what, Consumer<SimulatedDesk> action);

    /** Brings something from that node to this process; or it is lost. */
    void fromNode(String node, Object what, Runnable action);
  }

  private final Host process;
  private final OwnThread mailbox;
  private final Following following;

  public SimulatedFollower(
      Host process,
      CoordinationMachine machine,
      List<String> contacts,
      SessionTimes times,
      OwnThread mailbox) {
    this.process = process;
    this.mailbox = mailbox;
    following = new Following(machine, contacts, times, this::send, process.nowMs());
  }

  /** Begins to follow. */
  public void begin() {
    mailbox.run(following::begin);
    mailbox.every(Following.LOOK_EVERY.toMillis(), () -> following.look(process.nowMs()));
  }

  /** The log as this service has it. */
  public ConsensusLog log(long self) {
    return new DistantLog(new MemberId(self), this::ask);
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
    process.toNode(node, message, desk -> desk.hear(this, message));
  }

  /** The node at that address says this. */
  void sent(String node, LogMessage.FromNode message) {
    process.fromNode(
        node, message, () -> mailbox.run(() -> following.hear(node, message, process.nowMs())));
  }
}
