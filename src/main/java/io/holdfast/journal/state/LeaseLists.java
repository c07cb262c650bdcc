package io.holdfast.journal.state;

import io.holdfast.id.LeaseLife;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Differences between lists of leases without duplicates. A lock may be attached to very many, and
 * one event adds or removes one: common prefixes and suffixes are only compared.
 */
final class LeaseLists {

  /** The most leases that are each looked up in a whole list. */
  private static final int FEW = 8;

  private LeaseLists() {}

  /** A list, and the range of it that differs from another list. */
  private record Middle(List<LeaseLife> list, int from, int to) {

    static Middle of(List<LeaseLife> list, List<LeaseLife> other) {
      int most = Math.min(list.size(), other.size());
      int front = 0;
      while (front < most && list.get(front).equals(other.get(front))) {
        front++;
      }
      int back = 0;
      while (back < most - front
          && list.get(list.size() - 1 - back).equals(other.get(other.size() - 1 - back))) {
        back++;
      }
      return new Middle(list, front, list.size() - back);
    }

    List<LeaseLife> leases() {
      return list.subList(from, to);
    }
  }

  /** The leases of the first list that are not in the second. */
  static List<LeaseLife> without(List<LeaseLife> some, List<LeaseLife> others) {
    List<LeaseLife> mine = Middle.of(some, others).leases();
    List<LeaseLife> theirs = Middle.of(others, some).leases();
    if (mine.isEmpty() || theirs.isEmpty()) {
      return mine;
    }
    Set<LeaseLife> rest = new LinkedHashSet<>(mine);
    theirs.forEach(rest::remove);
    return List.copyOf(rest);
  }

  /**
   * The leases that are alive, each once.
   *
   * @param known some that are alive, each once
   */
  static List<LeaseLife> living(
      List<LeaseLife> known, List<LeaseLife> all, Predicate<LeaseLife> isAlive) {
    Middle middle = Middle.of(all, known);
    List<LeaseLife> end = all.subList(middle.to, all.size());
    List<LeaseLife> begin = all.subList(0, middle.from);
    List<LeaseLife> unknown = middle.leases();
    if (unknown.size() > FEW || unknown.stream().anyMatch(end::contains)) {
      return all.stream().filter(isAlive).distinct().toList();
    }
    List<LeaseLife> living = new ArrayList<>(all.size());
    living.addAll(begin);
    for (LeaseLife lease : unknown) {
      if (!living.contains(lease) && isAlive.test(lease)) {
        living.add(lease);
      }
    }
    living.addAll(end);
    return living;
  }

  /** The leases, and then the others in their order. */
  static List<LeaseLife> with(List<LeaseLife> leases, List<LeaseLife> others) {
    if (others.isEmpty()) {
      return leases;
    } else if (others.size() > FEW) {
      Set<LeaseLife> all = new LinkedHashSet<>(leases);
      all.addAll(others);
      return List.copyOf(all);
    }
    List<LeaseLife> all = new ArrayList<>(leases.size() + others.size());
    all.addAll(leases);
    for (LeaseLife other : others) {
      if (!all.contains(other)) {
        all.add(other);
      }
    }
    return all;
  }
}
