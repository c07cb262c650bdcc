package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.fixtures.Seeds;
import io.holdfast.id.LeaseLife;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Lists that differ in a few places, or in all, compared with sets of the JDK. */
class LeaseListsTest {

  private static final int LEASES = 24;

  @Test
  void the_differences_are_those_of_sets() {
    Seeds.each(
        3_000,
        random -> {
          List<LeaseLife> before = some(random);
          List<LeaseLife> after = changed(before, random);
          Set<LeaseLife> gone = new LinkedHashSet<>(before);
          after.forEach(gone::remove);
          assertEquals(List.copyOf(gone), LeaseLists.without(before, after));
        });
  }

  @Test
  void each_living_lease_is_there_once_and_in_order() {
    Seeds.each(
        3_000,
        random -> {
          List<LeaseLife> known = some(random);
          List<LeaseLife> all = changed(known, random);
          if (random.nextInt(4) == 0 && !all.isEmpty()) {
            all.add(random.nextInt(all.size()), all.get(random.nextInt(all.size())));
          }
          Set<LeaseLife> alive = new LinkedHashSet<>(known);
          alive.addAll(some(random));
          assertEquals(
              all.stream().filter(alive::contains).distinct().toList(),
              LeaseLists.living(known, all, alive::contains));
        });
  }

  @Test
  void others_are_added_once() {
    Seeds.each(
        3_000,
        random -> {
          List<LeaseLife> leases = some(random);
          List<LeaseLife> others = some(random);
          others.addAll(others.subList(0, others.size() / 3));
          Set<LeaseLife> all = new LinkedHashSet<>(leases);
          all.addAll(others);
          assertEquals(List.copyOf(all), LeaseLists.with(leases, others));
        });
  }

  private static List<LeaseLife> some(SplittableRandom random) {
    List<LeaseLife> all = new ArrayList<>();
    for (int i = 0; i < LEASES; i++) {
      all.add(new LeaseLife(1 + i / 2, 1 + i));
    }
    Collections.shuffle(all, new Random(random.nextLong()));
    return new ArrayList<>(all.subList(0, random.nextInt(LEASES)));
  }

  /** Removes and adds some, mostly few, one of them at the end. */
  private static List<LeaseLife> changed(List<LeaseLife> before, SplittableRandom random) {
    List<LeaseLife> after = new ArrayList<>(before);
    for (int i = random.nextInt(random.nextInt(5) == 0 ? LEASES : 3); i > 0; i--) {
      if (!after.isEmpty()) {
        after.remove(random.nextInt(3) == 0 ? 0 : random.nextInt(after.size()));
      }
    }
    List<LeaseLife> others = some(random);
    others.removeAll(after);
    int most = random.nextInt(5) == 0 ? others.size() : Math.min(2, others.size());
    for (LeaseLife other : others.subList(0, most)) {
      int last = after.size();
      after.add(random.nextInt(3) > 0 ? last : random.nextInt(last + 1), other);
    }
    return after;
  }
}
