package io.holdfast.bench.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A partition of the network: the pairs of a sender and a receiver between which everything is
 * lost.
 *
 * @param lost the pairs, of a sender and a receiver each
 * @param refuses the nodes without a majority, which must answer nothing
 * @param serves the nodes that must go on; empty if they are not known beforehand
 */
record Cut(String name, Set<List<Integer>> lost, Set<Integer> refuses, Set<Integer> serves) {

  static final String DEAF = "deaf";

  Cut {
    lost = Set.copyOf(lost);
    refuses = new TreeSet<>(refuses);
    serves = new TreeSet<>(serves);
  }

  /** Two parts that hear nothing of each other. */
  static Cut parts(String name, int nodes, Set<Integer> part) {
    Set<Integer> rest = new TreeSet<>();
    IntStream.range(0, nodes).filter(node -> !part.contains(node)).forEach(rest::add);
    Set<List<Integer>> lost = new HashSet<>();
    for (int a : part) {
      for (int b : rest) {
        lost.add(List.of(a, b));
        lost.add(List.of(b, a));
      }
    }
    boolean restServes = 2 * rest.size() > nodes;
    Set<Integer> refuses = new TreeSet<>(part);
    if (!restServes) {
      refuses.addAll(rest);
    }
    return new Cut(name, lost, refuses, restServes ? rest : Set.of());
  }

  /** Two hear nothing of each other; all others hear both. */
  static Cut between(String name, int a, int b) {
    return new Cut(name, Set.of(List.of(a, b), List.of(b, a)), Set.of(), Set.of());
  }

  /** One cannot send to another. */
  static Cut oneWay(String name, int from, int to) {
    return new Cut(name, Set.of(List.of(from, to)), Set.of(), Set.of());
  }

  /**
   * One node receives nothing from the others, which receive everything from it.
   *
   * @param clientsToo true if it hears nothing of the clients either
   */
  static Cut deaf(String name, int nodes, int deaf, boolean clientsToo) {
    Set<Integer> rest = new TreeSet<>();
    IntStream.range(0, nodes).filter(node -> node != deaf).forEach(rest::add);
    Set<List<Integer>> lost = new HashSet<>();
    rest.forEach(node -> lost.add(List.of(node, deaf)));
    if (clientsToo) {
      lost.add(List.of(Network.CLIENTS, deaf));
    }
    return new Cut(name, lost, Set.of(deaf), rest);
  }

  void make(Network network) {
    lost.forEach(pair -> network.cut(pair.get(0), pair.get(1)));
  }

  void heal(Network network) {
    lost.forEach(pair -> network.heal(pair.get(0), pair.get(1)));
  }

  /** True for a cut that leaves one node deaf: it can still send. */
  boolean isDeafness() {
    return name.startsWith(DEAF);
  }

  /** The nodes at its ends. */
  List<Integer> ends() {
    Set<Integer> ends = new TreeSet<>();
    lost.forEach(ends::addAll);
    ends.remove(Network.CLIENTS);
    return new ArrayList<>(ends);
  }
}
