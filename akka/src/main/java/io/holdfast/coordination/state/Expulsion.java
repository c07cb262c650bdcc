package io.holdfast.coordination.state;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The search for the smallest set of joined nodes without which all others reach each other.
 *
 * <p>Two nodes are cut off if either says so. Services go before anybody who has a part in the log
 * or runs shards. Of equally small sets it takes the one with fewest voters, and then the youngest
 * sessions. A set that leaves no majority of the voters alive is none: then nobody is expelled.
 */
public final class Expulsion {

  /** The most sets that are looked at; a search that takes longer keeps the best so far. */
  private static final int MAX_STEPS = 10_000;

  private final List<Session> sessions;
  private final int voters;
  private final BitSet voting;
  private final BitSet services;
  private final List<BitSet> cuts;
  private @Nullable BitSet best;
  private int steps;

  private Expulsion(Collection<Session> all, Set<NodeId> voters) {
    sessions = List.copyOf(all);
    this.voters = voters.size();
    voting = new BitSet();
    services = new BitSet();
    for (int i = 0; i < sessions.size(); i++) {
      voting.set(i, voters.contains(sessions.get(i).member()));
      services.set(i, sessions.get(i).isService());
    }
    cuts = sessions.stream().map(this::cutsOf).toList();
  }

  /**
   * Returns the members to expel, or none.
   *
   * @param sessions all that live; only joined ones can be cut off
   * @param voters the members of whose sessions a majority must be left
   */
  public static Set<SessionId> smallest(Collection<Session> sessions, Set<NodeId> voters) {
    Expulsion expulsion = new Expulsion(sessions, voters);
    expulsion.search(new BitSet());
    Set<SessionId> out = new TreeSet<>();
    BitSet found = expulsion.best;
    if (found != null) {
      found.stream().forEach(i -> out.add(expulsion.sessions.get(i).id()));
    }
    return out;
  }

  /* Of every cut pair one must go. If the first stays, all that it is cut from must go. The smaller
  set comes first: where the steps run out, no node has gone in the place of services. */
  private void search(BitSet out) {
    steps++;
    if (steps > MAX_STEPS || !leavesMajority(out) || (best != null && size(out) > size(best))) {
      return;
    }
    int worst = mostCut(out);
    if (worst >= 0) {
      BitSet alone = new BitSet();
      alone.set(worst);
      BitSet without = union(out, alone);
      BitSet with = union(out, cuts.get(worst));
      boolean goesFirst = size(without) <= size(with);
      search(goesFirst ? without : with);
      search(goesFirst ? with : without);
    } else if (best == null || order().compare(out, best) < 0) {
      best = out;
    }
  }

  /** The session with most cuts to those that stay, or -1 if there are none. */
  private int mostCut(BitSet out) {
    int worst = -1;
    int most = 0;
    for (int i = out.nextClearBit(0); i < sessions.size(); i = out.nextClearBit(i + 1)) {
      BitSet staying = union(cuts.get(i), out);
      int left = staying.cardinality() - out.cardinality();
      if (left > most) {
        worst = i;
        most = left;
      }
    }
    return worst;
  }

  private BitSet cutsOf(Session one) {
    BitSet cut = new BitSet();
    for (int i = 0; i < sessions.size(); i++) {
      Session other = sessions.get(i);
      boolean says = one.unreachable().contains(other.id());
      boolean hears = other.unreachable().contains(one.id());
      cut.set(i, one.isJoined() && other.isJoined() && (says || hears));
    }
    return cut;
  }

  /** The size of a set, in which one that is no service counts more than all services together. */
  private int size(BitSet out) {
    BitSet serving = (BitSet) out.clone();
    serving.and(services);
    int others = out.cardinality() - serving.cardinality();
    return others * (CoordinationBounds.MAX_SESSIONS + 1) + serving.cardinality();
  }

  private boolean leavesMajority(BitSet out) {
    return 2 * (voting.cardinality() - votersAmong(out)) > voters;
  }

  private int votersAmong(BitSet out) {
    BitSet among = (BitSet) voting.clone();
    among.and(out);
    return among.cardinality();
  }

  private Comparator<BitSet> order() {
    return Comparator.comparingInt(this::size)
        .thenComparingInt(this::votersAmong)
        .thenComparingLong(out -> -out.stream().mapToLong(i -> sessions.get(i).id().value()).sum());
  }

  private static BitSet union(BitSet one, BitSet other) {
    BitSet both = (BitSet) one.clone();
    both.or(other);
    return both;
  }
}
