package io.holdfast.raft.core;

import java.util.function.Consumer;

/**
 * Receives the messages of other members: checks the term of each, and passes it to the part of the
 * member that it concerns. A message that no member can have sent is dropped.
 *
 * <p>A later term ends whatever this member does in its own; an earlier one is out of date, and a
 * leader that still speaks in it is told so.
 */
final class MessageDispatcher {

  private final MemberState state;
  private final Plausibility plausibility;
  private final Roles roles;
  private final Election election;
  private final LeaderMessages following;
  private final FollowerReads reads;
  private final Forwarding forwarding;

  MessageDispatcher(
      MemberState state,
      Plausibility plausibility,
      Roles roles,
      Election election,
      LeaderMessages following,
      FollowerReads reads,
      Forwarding forwarding) {
    this.state = state;
    this.plausibility = plausibility;
    this.roles = roles;
    this.election = election;
    this.following = following;
    this.reads = reads;
    this.forwarding = forwarding;
  }

  void receive(Message message) {
    if (!message.to().equals(state.self) || plausibility.isImplausible(message, state.nowMs())) {
      return;
    }
    if (message.statesTerm()) {
      if (message.term() < state.term()) {
        refuse(message);
        return;
      }
      if (message.term() > state.term()) {
        roles.follow(message.term(), message.isOfLeader() ? message.from() : null);
      }
    }
    dispatch(message);
  }

  /* The answer carries this member's term, which is all that a former leader needs to know. */
  private void refuse(Message message) {
    if (message.isOfLeader()) {
      state.out.whenDurable(
          new Message.HeartbeatResponse(state.self, message.from(), state.term(), 0));
    }
  }

  private void dispatch(Message message) {
    if (message instanceof Message.VoteRequest request) {
      election.requested(request);
    } else if (message instanceof Message.VoteResponse answer) {
      election.answered(answer);
    } else if (message instanceof Message.HandOver handOver) {
      election.handedOver(handOver);
    } else if (message instanceof Message.AppendRequest request) {
      following.append(request);
    } else if (message instanceof Message.Heartbeat beat) {
      following.heartbeat(beat);
    } else if (message instanceof Message.SnapshotChunk chunk) {
      following.chunk(chunk);
    } else if (message instanceof Message.AppendAccepted answer) {
      ifLeading(leader -> leader.accepted(answer));
    } else if (message instanceof Message.AppendRejected answer) {
      ifLeading(leader -> leader.rejected(answer));
    } else if (message instanceof Message.HeartbeatResponse answer) {
      ifLeading(leader -> leader.beaten(answer));
    } else if (message instanceof Message.SnapshotWanted answer) {
      ifLeading(leader -> leader.wanted(answer));
    } else if (message instanceof Message.ReadRequest request) {
      ifLeading(leader -> leader.read(request.from(), request.batch()));
    } else if (message instanceof Message.ReadResponse answer) {
      reads.answered(answer);
    } else if (message instanceof Message.Forward forward) {
      ifLeading(leader -> leader.forwarded(forward));
    } else if (message instanceof Message.Forwarded answer) {
      forwarding.answered(answer);
    } else {
      throw new IllegalArgumentException("message [" + message + "] is unknown");
    }
  }

  private void ifLeading(Consumer<LeaderTerm> action) {
    LeaderTerm leader = roles.leaderTerm();
    if (leader != null) {
      action.accept(leader);
    }
  }
}
