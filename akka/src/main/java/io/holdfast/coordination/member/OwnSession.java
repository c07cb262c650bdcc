package io.holdfast.coordination.member;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardTerms;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of this process among the nodes: it is opened once, kept from then on, and closed.
 * Safe for use by many threads.
 */
public final class OwnSession {

  private static final Logger log = LoggerFactory.getLogger(OwnSession.class);

  private final MemberCoordination member;
  private final SessionTimes times;
  private final Clocks clocks;
  private final CompletableFuture<SessionId> opened = new CompletableFuture<>();
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private volatile @Nullable NodeSession session;
  private volatile boolean closing;

  OwnSession(MemberCoordination member, SessionTimes times, Clocks clocks) {
    this.member = member;
    this.times = times;
    this.clocks = clocks;
  }

  /**
   * Opens the session, and keeps it from then on. The stage completes when it is open; it does not
   * if it cannot be: then {@link #ended} does. A process whose terms are not those of the founding
   * asks for none.
   */
  public CompletionStage<SessionId> open(CoordinationCommand.OpenSession opening) {
    return open(founded -> opening);
  }

  /** As {@link #open}, on terms that follow from those of the founding. */
  public CompletionStage<SessionId> open(
      Function<ShardTerms, CoordinationCommand.OpenSession> opening) {
    member.run(() -> openOnceCaughtUp(opening));
    return opened;
  }

  /* A node that is behind would not hear of its own renewals in time. */
  private void openOnceCaughtUp(Function<ShardTerms, CoordinationCommand.OpenSession> opening) {
    if (!member.hasBegun() || closing) {
      return;
    }
    var unused =
        member
            .barrier()
            .caughtUp()
            .thenAccept(
                isCaughtUp -> {
                  if (isCaughtUp && member.read(CoordinationState::isFounded)) {
                    member.run(() -> begin(opening));
                  } else {
                    member.after(MemberCoordination.TICK_MS, () -> openOnceCaughtUp(opening));
                  }
                });
  }

  private void begin(Function<ShardTerms, CoordinationCommand.OpenSession> how) {
    ShardTerms founded = member.read(CoordinationState::terms);
    CoordinationCommand.OpenSession opening = how.apply(founded);
    opening
        .terms()
        .differenceFrom(founded)
        .ifPresentOrElse(
            ended::complete,
            () -> {
              session = new NodeSession(times, opening, clocks);
              member.act();
            });
  }

  /** Completes with the reason when the session has ended: this process must end too. */
  public CompletionStage<String> ended() {
    return ended;
  }

  /** True if the node may act: its session has surely not ended yet. */
  public boolean mayAct() {
    NodeSession current = session;
    return current != null && current.isValid() && !closing;
  }

  /** The session, if it was opened and has not ended as far as this node knows. */
  public @Nullable SessionId live() {
    NodeSession current = session;
    return current == null || current.end().isPresent() ? null : current.session().orElse(null);
  }

  /** By which this process finds the shard of a key; as in its session. */
  public ShardTerms terms() {
    NodeSession current = session;
    if (current == null) {
      throw new IllegalStateException("there was never a session");
    }
    return current.terms();
  }

  /** Tells all nodes where clients reach this one. The session must be open. */
  public void announce(String endpoint) {
    member.run(
        () -> {
          SessionId own = live();
          if (own != null) {
            member.propose(
                new CoordinationCommand.AnnounceEndpoint(own, endpoint),
                verdict -> {
                  if (verdict.isEmpty()) {
                    member.after(MemberCoordination.TICK_MS, () -> announce(endpoint));
                  }
                });
          }
        });
  }

  /**
   * Closes the session: nothing acts on it any more. Completes when the log says that it has ended,
   * which it does not without a majority.
   */
  public CompletionStage<String> close() {
    closing = true;
    member.run(this::closeInLog);
    return ended;
  }

  private void closeInLog() {
    SessionId own = live();
    if (own == null) {
      ended.complete("it was never open");
      return;
    }
    member.propose(
        new CoordinationCommand.CloseSession(own),
        verdict -> {
          if (verdict.isEmpty()) {
            member.after(MemberCoordination.TICK_MS, this::closeInLog);
          }
        });
  }

  /** Nothing acts on it any more, and nobody keeps it. */
  void abandon() {
    closing = true;
  }

  void end(String reason) {
    ended.complete(reason);
  }

  // ------------------------------------------------------------------ on the node's own thread

  void applied(CoordinationVerdict verdict) {
    NodeSession current = session;
    if (current != null) {
      current.applied(verdict);
    }
  }

  void restored(CoordinationState state) {
    NodeSession current = session;
    if (current != null) {
      current.restored(state);
    }
  }

  /** Does what is due for it now. */
  void keep() {
    NodeSession current = session;
    if (current == null) {
      return;
    }
    for (CoordinationCommand command : current.due()) {
      member.propose(
          command,
          verdict -> {
            current.answered(command, verdict);
            current.session().ifPresent(opened::complete);
            member.act();
          });
    }
    current
        .end()
        .ifPresent(
            reason -> {
              if (ended.complete(reason)) {
                if (!closing) {
                  log.warn("the session of this node has ended: {}", reason);
                }
                member.sessionEnded(reason);
              }
            });
  }
}
