package holdfast.coordination.state;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The search for the smallest set of joined nodes without which all others reach each other.
 *
 * <p>Two nodes are cut off if either says so. Of equally small sets it takes the one with fewest
 * voters, and then the youngest sessions. A set that leaves no majority of the voters alive is
 * none: then nobody is expelled.
 */
public final class Expulsion {

  /** How many sets are looked at; a search that takes longer keeps the best so far. */
  private static final int MAX_STEPS = 20_000;

  private final Set<NodeId> voters;
  private final List<Session> sessions;
  private @Nullable Set<SessionId> best;
  private int steps;

  private Expulsion(Collection<Session> sessions, Set<NodeId> voters) {
    this.sessions = List.copyOf(sessions);
    this.voters = voters;
  }

  /**
   * Returns whom to expel, or nobody.
   *
   * @param sessions all that live; only joined ones can be cut off
   * @param voters the members of whose sessions a majority must be left
   */
  public static Set<SessionId> smallest(Collection<Session> sessions, Set<NodeId> voters) {
    Expulsion expulsion = new Expulsion(sessions, voters);
    expulsion.search(new TreeSet<>());
    Set<SessionId> found = expulsion.best;
    return found == null ? Set.of() : found;
  }

  /* Of every cut pair one must go. If the first stays, all that it is cut from must go. */
  private void search(Set<SessionId> out) {
    if (steps++ >= MAX_STEPS
        || !leavesMajority(out)
        || (best != null && out.size() > best.size())) {
      return;
    }
    Session worst = mostCut(out);
    if (worst == null) {
      if (best == null || order().compare(out, best) < 0) {
        best = new TreeSet<>(out);
      }
      return;
    }
    Set<SessionId> without = new TreeSet<>(out);
    without.add(worst.id());
    search(without);
    Set<SessionId> with = new TreeSet<>(out);
    sessions.stream().filter(s -> isCut(worst, s, out)).forEach(s -> with.add(s.id()));
    search(with);
  }

  /** The session with most cuts to those that stay, or null if there are none. */
  private @Nullable Session mostCut(Set<SessionId> out) {
    Session worst = null;
    long most = 0;
    for (Session session : sessions) {
      long cuts = sessions.stream().filter(other -> isCut(session, other, out)).count();
      if (cuts > most) {
        worst = session;
        most = cuts;
      }
    }
    return worst;
  }

  private static boolean isCut(Session one, Session other, Set<SessionId> out) {
    return one.isJoined()
        && other.isJoined()
        && !out.contains(one.id())
        && !out.contains(other.id())
        && (one.unreachable().contains(other.id()) || other.unreachable().contains(one.id()));
  }

  private boolean leavesMajority(Set<SessionId> out) {
    long left =
        sessions.stream().filter(s -> !out.contains(s.id()) && voters.contains(s.member())).count();
    return 2 * left > voters.size();
  }

  private Comparator<Set<SessionId>> order() {
    return Comparator.<Set<SessionId>>comparingInt(Set::size)
        .thenComparingLong(this::votersAmong)
        .thenComparingLong(out -> -out.stream().mapToLong(SessionId::value).sum());
  }

  private long votersAmong(Set<SessionId> out) {
    return sessions.stream()
        .filter(s -> out.contains(s.id()) && voters.contains(s.member()))
        .count();
  }
}
