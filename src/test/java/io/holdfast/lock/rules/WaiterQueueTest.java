package io.holdfast.lock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares random changes of a queue with those of a plain list. */
class WaiterQueueTest {

  private static final int REQUESTS = 30;
  private static final int LEASES = 5;

  @Test
  void it_agrees_with_a_list_and_old_versions_stay() {
    Seeds.each(60, random -> new Run(random).run(/* steps= */ 120));
  }

  /** One run: the queue and the list, side by side, and all former versions. */
  private static final class Run {

    private final SplittableRandom random;
    private final List<WaiterQueue> versions = new ArrayList<>();
    private final List<List<Waiter>> contents = new ArrayList<>();
    private List<Waiter> model = new ArrayList<>();
    private WaiterQueue queue = WaiterQueue.EMPTY;

    Run(SplittableRandom random) {
      this.random = random;
    }

    void run(int steps) {
      for (int step = 0; step < steps; step++) {
        versions.add(queue);
        contents.add(List.copyOf(model));
        change();
        agree(model, queue);
      }
      for (int i = 0; i < versions.size(); i++) {
        agree(contents.get(i), versions.get(i));
      }
    }

    private void change() {
      int kind = random.nextInt(10);
      if (kind < 5) {
        enter(waiter(random));
      } else if (kind < 7 && !model.isEmpty()) {
        queue = queue.without(model.remove(0).request().id());
      } else if (kind < 9) {
        leave(request(random));
      } else {
        model = new ArrayList<>(model.subList(0, random.nextInt(model.size() + 1)));
        queue = WaiterQueue.of(model);
      }
    }

    private void enter(Waiter waiter) {
      if (place(model, waiter.request().id()) > 0) {
        WaiterQueue before = queue;
        String message =
            String.valueOf(
                assertThrows(IllegalStateException.class, () -> before.with(waiter)).getMessage());
        assertTrue(message.startsWith("I8 AtMostOnce"), message);
      } else {
        model.add(waiter);
        queue = queue.with(waiter);
      }
    }

    private void leave(RequestId request) {
      int place = place(model, request);
      if (place == 0) {
        WaiterQueue before = queue;
        assertThrows(IllegalArgumentException.class, () -> before.without(request));
      } else {
        model.remove(place - 1);
        queue = queue.without(request);
      }
    }
  }

  private static void agree(List<Waiter> model, WaiterQueue queue) {
    assertEquals(model, queue);
    assertEquals(queue, model);
    assertEquals(WaiterQueue.of(model), queue);
    assertEquals(model.hashCode(), queue.hashCode());
    assertEquals(model.toString(), queue.toString());
    for (int i = 0; i < model.size(); i++) {
      assertEquals(model.get(i), queue.get(i));
    }
    for (int i = 0; i < REQUESTS; i++) {
      for (RequestId request : requests(i)) {
        assertEquals(place(model, request), queue.position(request));
      }
    }
    for (int i = 0; i < LEASES; i++) {
      LeaseLife lease = lease(i);
      assertEquals(
          model.stream().anyMatch(waiter -> waiter.life().isOn(lease)), queue.hangsOn(lease));
      assertEquals(on(model, Set.of(lease)), queue.endedWith(lease::equals));
    }
    Set<LeaseLife> two = Set.of(lease(0), lease(3));
    assertEquals(on(model, two), queue.endedWith(two::contains));
    Set<LeaseLife> asked = new HashSet<>();
    queue.endedWith(lease -> !asked.add(lease)); // nothing is asked twice
    assertEquals(leases(model), asked);
    assertEquals(model.stream().mapToInt(w -> w.metadata().size()).sum(), queue.metadataBytes());
    assertEquals(model.stream().mapToInt(Waiter::bytes).sum(), queue.bytes());
  }

  private static List<Waiter> on(List<Waiter> model, Set<LeaseLife> leases) {
    return model.stream()
        .filter(w -> leases(List.of(w)).stream().anyMatch(leases::contains))
        .toList();
  }

  private static Set<LeaseLife> leases(List<Waiter> waiters) {
    Set<LeaseLife> leases = new HashSet<>();
    for (Waiter waiter : waiters) {
      waiter.life().lease().ifPresent(leases::add);
      waiter.request().id().keptBy().ifPresent(leases::add);
    }
    return leases;
  }

  private static int place(List<Waiter> model, RequestId request) {
    return model.stream().map(w -> w.request().id()).toList().indexOf(request) + 1;
  }

  @Test
  void a_duplicate_request_is_refused() {
    SplittableRandom random = new SplittableRandom(1);
    List<Waiter> twice = new ArrayList<>();
    while (twice.size() < 9) {
      Waiter waiter = waiter(random);
      if (place(twice, waiter.request().id()) == 0) {
        twice.add(waiter);
      }
    }
    WaiterQueue.of(twice);
    twice.add(twice.get(4));
    assertThrows(IllegalStateException.class, () -> WaiterQueue.of(twice));
  }

  @Test
  void it_is_immutable() {
    WaiterQueue queue = WaiterQueue.EMPTY.with(waiter(new SplittableRandom(1)));
    assertThrows(UnsupportedOperationException.class, () -> queue.remove(0));
    assertThrows(UnsupportedOperationException.class, () -> queue.add(queue.get(0)));
    assertThrows(UnsupportedOperationException.class, queue::clear);
  }

  private static Waiter waiter(SplittableRandom random) {
    RequestId request = request(random);
    LeaseLife lease = lease(random.nextInt(LEASES));
    Lifetime life =
        random.nextInt(3) == 0
            ? new Lifetime.Own(new Ttl(1_000))
            : new Lifetime.Shared(
                request.keptBy().filter(s -> random.nextBoolean()).orElse(lease), new Ttl(2_000));
    return new Waiter(
        HolderId.of(ClientId.NAMELESS, "holder"),
        new RequestHeader(request, random.nextLong()),
        life,
        new WaitTimeout(1_000),
        Metadata.of(new byte[random.nextInt(4)]),
        random.nextInt(1_000));
  }

  private static RequestId request(SplittableRandom random) {
    List<RequestId> some = requests(random.nextInt(REQUESTS));
    return some.get(random.nextInt(some.size()));
  }

  private static List<RequestId> requests(int number) {
    ClientId client = number % 3 == 0 ? ClientId.NAMELESS : new ClientId("client-" + number % 3);
    return List.of(
        new RequestId.Named(client, "request-" + number / 3),
        new RequestId.Numbered(client, lease(number % LEASES), 1 + number / LEASES),
        new RequestId.Once(client, number - 9));
  }

  /** Returns leases, some with the same id. */
  private static LeaseLife lease(int number) {
    return LeaseLife.of(new LeaseId(1 + number / 2), new Revision(1 + number));
  }
}
