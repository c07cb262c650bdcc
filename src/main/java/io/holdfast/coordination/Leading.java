package io.holdfast.coordination;

import io.holdfast.coordination.node.LeaderDuties;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.raft.ConsensusLog;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's part as the leader of the log, while it is that. Used by one thread. */
final class Leading {

  private static final Logger log = LoggerFactory.getLogger(NodeCoordination.class);

  /** A pause between two looks that only a process that stood still makes. */
  private static final long STALL_MS = 500;

  /**
   * The number of ttls that the session of a service has, from when this process has a session.
   * Services are heard by way of the nodes' actors, which begin later than the log.
   */
  private static final int TTLS_OF_SERVICES = 2;

  private static final long NEVER = Long.MIN_VALUE;

  private final LeaderDuties duties = new LeaderDuties();
  private boolean leads; // as last looked
  private long lookedAtMs;
  private long ownSinceMs = NEVER;

  /** The duties of a leader. They must be told of all that is applied, whoever leads. */
  LeaderDuties duties() {
    return duties;
  }

  /**
   * Looks whether this node leads. Asked of the log each time: what it told may be told twice, and
   * out of turn while it begins.
   */
  void look(@Nullable ConsensusLog running, long nowMs) {
    if (nowMs - lookedAtMs > STALL_MS) {
      // Where this process stood still, what the others sent may not have been read yet.
      duties.leads(nowMs);
    }
    lookedAtMs = nowMs;
    if (running == null) {
      return;
    }
    boolean leadsNow = running.leadership().leads();
    if (leadsNow && !leads) {
      log.info("leads the log in term [{}]", running.leadership().term());
      duties.leads(nowMs);
    } else if (leads && !leadsNow) {
      log.info("leads the log no more");
    }
    leads = leadsNow;
  }

  /**
   * The proposals to make now, if this node leads. Whoever leads is alive: if its own renewals are
   * late, so is everything that it does.
   */
  List<CoordinationCommand> due(@Nullable SessionId own, CoordinationState state, long nowMs) {
    if (own != null && ownSinceMs == NEVER) {
      ownSinceMs = nowMs;
    }
    return leads
        ? duties.due(state, nowMs).stream()
            .filter(command -> !endsOwn(command, own))
            .filter(command -> !endsUnheard(command, state, nowMs))
            .toList()
        : List.of();
  }

  /** True if it ends the session of a service that nobody can have heard yet. */
  private boolean endsUnheard(CoordinationCommand command, CoordinationState state, long nowMs) {
    return command instanceof CoordinationCommand.ExpireSession expire
        && state
            .session(expire.session())
            .filter(Session::isService)
            .filter(
                service ->
                    ownSinceMs == NEVER
                        || nowMs - ownSinceMs < (long) TTLS_OF_SERVICES * service.ttlMs())
            .isPresent();
  }

  private static boolean endsOwn(CoordinationCommand command, @Nullable SessionId own) {
    return command instanceof CoordinationCommand.ExpireSession expire
        && expire.session().equals(own);
  }
}
