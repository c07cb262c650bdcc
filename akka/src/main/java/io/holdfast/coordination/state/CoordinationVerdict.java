package io.holdfast.coordination.state;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Optional;

/** The result of a command. Only a refusal leaves the state as it was. */
public sealed interface CoordinationVerdict {

  /** The session whose node is alive, as this proves; empty if it proves nothing. */
  default Optional<Session> alive() {
    return Optional.empty();
  }

  /** The sessions that have ended by this. */
  default List<EndedSession> ended() {
    return List.of();
  }

  /**
   * The session is open.
   *
   * @param repeated true if an equal command had opened it before
   * @param ended the session of an earlier process, if that lived
   */
  record Opened(Session session, boolean repeated, List<EndedSession> ended)
      implements CoordinationVerdict {
    public Opened {
      ended = List.copyOf(ended);
    }

    @Override
    public Optional<Session> alive() {
      return Optional.of(session);
    }
  }

  /** The session lives, and has its last renewal. */
  record Renewed(Session session) implements CoordinationVerdict {
    @Override
    public Optional<Session> alive() {
      return Optional.of(session);
    }
  }

  /** These sessions have ended. */
  record Ended(List<EndedSession> ended) implements CoordinationVerdict {
    public Ended {
      ended = List.copyOf(ended);
    }
  }

  /** The session owns the shard under this epoch. */
  record Acquired(SessionId session, ShardId shard, long request, Epoch epoch, TokenBlock block)
      implements CoordinationVerdict {}

  /**
   * Nobody owns the shard.
   *
   * @param fence above every epoch that the shard has had
   */
  record Released(ShardId shard, Epoch fence) implements CoordinationVerdict {}

  /** The owner of this epoch has more tokens. */
  record BlockTaken(ShardId shard, Epoch epoch, TokenBlock block) implements CoordinationVerdict {}

  /** The session is marked as joined. */
  record Joined(SessionId session, FormationId formation) implements CoordinationVerdict {}

  /** It is noted, and nobody needs to act on it. */
  record Noted() implements CoordinationVerdict {}

  /** Nothing has changed. */
  record Refused(CoordinationRefusal reason, String detail) implements CoordinationVerdict {}

  /** One result for each kind of verdict; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R opened(Opened opened);

    R renewed(Renewed renewed);

    R ended(Ended ended);

    R acquired(Acquired acquired);

    R released(Released released);

    R blockTaken(BlockTaken taken);

    R joined(Joined joined);

    R noted(Noted noted);

    R refused(Refused refused);
  }

  /** Answers with the case of this verdict's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Opened opened) {
      return cases.opened(opened);
    } else if (this instanceof Renewed renewed) {
      return cases.renewed(renewed);
    } else if (this instanceof Ended ended) {
      return cases.ended(ended);
    } else if (this instanceof Acquired acquired) {
      return cases.acquired(acquired);
    } else if (this instanceof Released released) {
      return cases.released(released);
    } else if (this instanceof BlockTaken taken) {
      return cases.blockTaken(taken);
    } else if (this instanceof Joined joined) {
      return cases.joined(joined);
    } else if (this instanceof Noted noted) {
      return cases.noted(noted);
    } else if (this instanceof Refused refused) {
      return cases.refused(refused);
    }
    throw new AssertionError(this);
  }

  /** The verdict that nothing has changed. */
  static Refused refused(CoordinationRefusal reason, Object what) {
    return new Refused(reason, reason.name() + " [" + what + "]");
  }
}
