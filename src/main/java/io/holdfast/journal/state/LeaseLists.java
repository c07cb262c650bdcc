package io.holdfast.journal.state;

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
  private record Middle(List<LeaseRef> list, int from, int to) {

    static Middle of(List<LeaseRef> list, List<LeaseRef> other) {
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

    List<LeaseRef> leases() {
      return list.subList(from, to);
    }
  }

  /** The leases of the first list that are not in the second. */
  static List<LeaseRef> without(List<LeaseRef> some, List<LeaseRef> others) {
    List<LeaseRef> mine = Middle.of(some, others).leases();
    List<LeaseRef> theirs = Middle.of(others, some).leases();
    if (mine.isEmpty() || theirs.isEmpty()) {
      return mine;
    }
    Set<LeaseRef> rest = new LinkedHashSet<>(mine);
    theirs.forEach(rest::remove);
    return List.copyOf(rest);
  }

  /**
   * The leases that are alive, each once.
   *
   * @param known some that are alive, each once
   */
  static List<LeaseRef> living(
      List<LeaseRef> known, List<LeaseRef> all, Predicate<LeaseRef> isAlive) {
    Middle middle = Middle.of(all, known);
    List<LeaseRef> end = all.subList(middle.to, all.size());
    List<LeaseRef> begin = all.subList(0, middle.from);
    List<LeaseRef> unknown = middle.leases();
    if (unknown.size() > FEW || unknown.stream().anyMatch(end::contains)) {
      return all.stream().filter(isAlive).distinct().toList();
    }
    List<LeaseRef> living = new ArrayList<>(all.size());
    living.addAll(begin);
    for (LeaseRef lease : unknown) {
      if (!living.contains(lease) && isAlive.test(lease)) {
        living.add(lease);
      }
    }
    living.addAll(end);
    return living;
  }

  /** The leases, and then the others in their order. */
  static List<LeaseRef> with(List<LeaseRef> leases, List<LeaseRef> others) {
    if (others.isEmpty()) {
      return leases;
    } else if (others.size() > FEW) {
      Set<LeaseRef> all = new LinkedHashSet<>(leases);
      all.addAll(others);
      return List.copyOf(all);
    }
    List<LeaseRef> all = new ArrayList<>(leases.size() + others.size());
    all.addAll(leases);
    for (LeaseRef other : others) {
      if (!all.contains(other)) {
        all.add(other);
      }
    }
    return all;
  }
}
