package io.holdfast.coordination.hosting;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.ServiceEntries;
import io.holdfast.coordination.following.LogMessage;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.CoordinationReplica.Written;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.ProposalOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The services that follow the log at one node. The node sends each of them the entries of
 * coordination that it applies, and proposes a service's commands about its own session to the log.
 *
 * <p>Used by one thread. Times are arguments.
 *
 * @param <F> the address of a follower
 */
final class Followers<F> {

  /** The most followers of one node; one more has to follow at another node. */
  static final int MAX_FOLLOWERS = 256;

  /** The most proposals of services without an outcome; one more is refused. */
  static final int MAX_OPEN = 1_024;

  /** The size of one part of a state. A message of Akka has at most 256 KiB. */
  static final int PART_BYTES = 64 << 10;

  private static final int ENTRIES_AT_ONCE = 64;

  /** A follower that has sent nothing for so long is removed. */
  private static final long SILENT_FOR_MS = 5_000;

  /** Sends a message to a follower. It may be lost. */
  interface Post<F> {
    void send(F to, LogMessage.FromNode message);
  }

  private static final class Place {
    long sent;
    long receivedAtMs;
  }

  private final NodeCoordination coordination;
  private final Executor own;
  private final Post<F> post;
  private final Map<F, Place> followers = new LinkedHashMap<>();
  private int open;

  /**
   * Creates it without followers.
   *
   * @param own runs actions on the one thread, in order
   */
  Followers(NodeCoordination coordination, Executor own, Post<F> post) {
    this.coordination = coordination;
    this.own = own;
    this.post = post;
  }

  /** Begins to receive applied entries, until the returned action is run. */
  Runnable listen() {
    return coordination.copyFor(
        new CoordinationReplica.Copyist() {
          @Override
          public void written(List<Written> batch) {
            own.execute(() -> followers.forEach((to, at) -> tell(to, at, batch)));
          }

          @Override
          public void restarted() {
            own.execute(() -> followers.forEach(Followers.this::tellAll));
          }
        });
  }

  /** Handles a message of a service. */
  void receive(F from, LogMessage.ToNode message, long nowMs) {
    if (message instanceof LogMessage.Begin begin) {
      begin(from, begin, nowMs);
    } else if (message instanceof LogMessage.Follow) {
      answer(from, nowMs);
    } else if (message instanceof LogMessage.Propose propose) {
      propose(from, propose);
    } else if (message instanceof LogMessage.Catch asked) {
      catchUp(from, asked);
    } else {
      throw new IllegalStateException("unknown message [" + message + "]");
    }
  }

  private void begin(F follower, LogMessage.Begin begin, long nowMs) {
    boolean isBehind = coordination.image().index() < begin.applied();
    boolean isFull = !followers.containsKey(follower) && followers.size() >= MAX_FOLLOWERS;
    if (isBehind || isFull || !coordination.session().mayAct()) {
      followers.remove(follower);
      answer(follower, nowMs);
      return;
    }
    Place place = followers.computeIfAbsent(follower, first -> new Place());
    place.receivedAtMs = nowMs;
    tellAll(follower, place);
  }

  private void tellAll(F to, Place place) {
    CoordinationReplica.Image image = coordination.image();
    byte[] state = image.state().array();
    for (int offset = 0; offset < state.length; offset += PART_BYTES) {
      byte[] part = Arrays.copyOfRange(state, offset, Math.min(state.length, offset + PART_BYTES));
      post.send(to, new LogMessage.ImagePart(image.index(), offset, state.length, Bytes.of(part)));
    }
    place.sent = image.index();
  }

  private void tell(F to, Place place, List<Written> batch) {
    List<Written> unsent = new ArrayList<>();
    for (Written entry : batch) {
      if (entry.index() > place.sent) { // else its state includes it
        unsent.add(entry);
      }
    }
    for (int first = 0; first < unsent.size(); first += ENTRIES_AT_ONCE) {
      List<Written> some = unsent.subList(first, Math.min(unsent.size(), first + ENTRIES_AT_ONCE));
      post.send(to, new LogMessage.Entries(place.sent, some));
      place.sent = some.get(some.size() - 1).index();
    }
  }

  private void answer(F follower, long nowMs) {
    Place place = followers.get(follower);
    if (place != null) {
      place.receivedAtMs = nowMs;
    }
    post.send(
        follower,
        new LogMessage.FollowStatus(
            place == null ? LogMessage.FollowStatus.NOTHING : place.sent,
            coordination.session().mayAct()));
  }

  private void propose(F from, LogMessage.Propose propose) {
    ConsensusLog log = coordination.log();
    if (log == null || open >= MAX_OPEN || !isAllowed(propose)) {
      post.send(from, new LogMessage.Proposed(propose.number(), LogMessage.Became.REFUSED));
      return;
    }
    open++;
    var unused =
        log.propose(propose.payload().array())
            .thenAccept(outcome -> own.execute(() -> decided(from, propose, outcome)));
  }

  /** Sends an outcome, after all entries that were applied before it. */
  private void decided(F to, LogMessage.Propose propose, ProposalOutcome outcome) {
    open--;
    post.send(to, new LogMessage.Proposed(propose.number(), became(outcome)));
  }

  private boolean isAllowed(LogMessage.Propose propose) {
    return ServiceEntries.allow(
        propose.payload().array(),
        session ->
            coordination.read(
                state -> state.session(session).filter(found -> !found.isService()).isPresent()));
  }

  private static LogMessage.Became became(ProposalOutcome outcome) {
    return outcome.isApplied()
        ? LogMessage.Became.APPLIED
        : outcome.isUnknown() ? LogMessage.Became.UNKNOWN : LogMessage.Became.REFUSED;
  }

  private void catchUp(F to, LogMessage.Catch asked) {
    var unused =
        coordination
            .barrier()
            .caughtUp()
            .thenAccept(
                isSafe ->
                    own.execute(
                        () -> post.send(to, new LogMessage.Caught(asked.number(), isSafe))));
  }

  /** Removes silent followers. */
  void look(long nowMs) {
    followers.values().removeIf(place -> nowMs - place.receivedAtMs > SILENT_FOR_MS);
  }
}
