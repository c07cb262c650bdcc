package io.holdfast.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.id.Revision;
import io.holdfast.journal.state.Change;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * I11 WatchComplete, against a plain list of all that happened: random changes, watches with random
 * starts, clients that read now and then, resume, and are told when they missed something.
 */
class WatchModelTest {

  private static final List<String> KEYS = List.of("a", "ab", "abc", "b", "b/1", "b/2", "c");
  private static final List<String> PREFIXES = List.of("", "a", "ab", "b/", "x");

  @Test
  void a_watch_tells_every_change_in_order_or_that_some_are_gone() {
    Map<WatchEnding, Integer> endings = new EnumMap<>(WatchEnding.class);
    long[] told = new long[1];
    Seeds.each(
        300,
        random -> {
          World world = new World(random, endings);
          world.run();
          told[0] += world.told;
        });
    if (Long.getLong("seed") == null) {
      assertTrue(endings.getOrDefault(WatchEnding.COMPACTED, 0) > 50, "hardly ever compacted");
      assertTrue(endings.getOrDefault(WatchEnding.SLOW_CONSUMER, 0) > 50, "hardly ever slow");
      assertTrue(told[0] > 100_000, "hardly anything told: " + told[0]);
    }
  }

  private record Happened(long revision, String key) {}

  /** The knowledge of a client about one watch. */
  private static final class Known {
    private final Selector selector;
    private final long from;
    private int next; // in the list of all that happened
    private long revision;
    private Position position;

    Known(Selector selector, long from, Position position) {
      this.selector = selector;
      this.from = from;
      this.position = position;
    }

    Known(Known before) {
      this(before.selector, before.from, before.position);
      next = before.next;
    }
  }

  private static final class Client {
    private final WatchStream stream;
    private final Map<Long, Known> watches = new HashMap<>();
    private boolean woken;
    private boolean asked = true;

    Client(World world) {
      stream =
          world.hub.open(
              () -> {
                assertFalse(woken, "woken twice");
                woken = true;
                if (world.random.nextInt(3) == 0) {
                  world.read(this, 3); // in the midst of a batch
                }
              });
    }
  }

  private static final class World {
    private final SplittableRandom random;
    private final Map<WatchEnding, Integer> endings;
    private final int maxEvents;
    private final WatchHub hub;
    private final List<Happened> all = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private long revision;
    private long gap;
    private long ids;
    private long told;

    World(SplittableRandom random, Map<WatchEnding, Integer> endings) {
      this.random = random;
      this.endings = endings;
      maxEvents = random.nextBoolean() ? 20 : 3_000;
      hub = new WatchHub(Changes.history(maxEvents, Long.MAX_VALUE), Runnable::run);
    }

    void run() {
      for (int i = 0; i < 5; i++) {
        clients.add(new Client(this));
      }
      for (int step = 0; step < 400; step++) {
        Client client = clients.get(random.nextInt(clients.size()));
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3 -> change(1 + random.nextInt(4));
          case 4 -> {
            if (random.nextInt(20) == 0) {
              change(700); // more than a backlog holds
            } else if (random.nextInt(40) == 0) {
              restore();
            }
          }
          case 5, 6 -> create(client, random.nextInt(1_000) + 1);
          case 7 -> resume(client);
          case 8 -> cancel(client);
          case 9 -> mark(client);
          default -> read(client, 1 + random.nextInt(20));
        }
      }
      for (Client client : clients) {
        read(client, Integer.MAX_VALUE);
        for (Known known : client.watches.values()) {
          assertEquals(Long.MAX_VALUE, nextRevision(known), "a change was never told");
        }
      }
      assertEquals(new Revision(revision), hub.revision());
    }

    private void change(int revisions) {
      List<Change> batch = new ArrayList<>();
      for (int i = 0; i < revisions; i++) {
        revision++;
        switch (random.nextInt(4)) {
          case 0 -> batch.add(Changes.ofLease(revision));
          case 1 -> {
            for (String key : KEYS) {
              happen(batch, key);
            }
          }
          default -> happen(batch, KEYS.get(random.nextInt(KEYS.size())));
        }
      }
      hub.changed(batch, new Revision(revision));
    }

    private void happen(List<Change> batch, String key) {
      all.add(new Happened(revision, key));
      batch.add(Changes.granted(revision, key));
    }

    private void restore() {
      revision += 1 + random.nextInt(5);
      gap = revision;
      hub.restored(new Revision(revision));
    }

    private void create(Client client, long id) {
      Selector selector =
          random.nextBoolean()
              ? Selector.key(KEYS.get(random.nextInt(KEYS.size())))
              : Selector.prefix(PREFIXES.get(random.nextInt(PREFIXES.size())));
      if (random.nextInt(3) == 0) {
        Known known = new Known(selector, revision + 1, new Position(new Revision(revision), 0));
        begun(client, known, client.stream.create(++ids, selector));
      } else {
        long from = Math.max(1, revision - 40 + random.nextInt(50));
        Known known = new Known(selector, from, Position.before(new Revision(from)));
        begun(client, known, client.stream.create(++ids, selector, known.position));
      }
      assertEquals(WatchEnding.NOT_FOUND, client.stream.cancel(-id).why());
    }

    /** Another stream goes on where a watch has come to. */
    private void resume(Client client) {
      client.watches.entrySet().stream()
          .findAny()
          .ifPresent(
              entry -> {
                client.stream.cancel(entry.getKey());
                client.watches.remove(entry.getKey());
                Client other = clients.get(random.nextInt(clients.size()));
                Known known = new Known(entry.getValue());
                begun(other, known, other.stream.create(++ids, known.selector, known.position));
              });
    }

    private void mark(Client client) {
      Optional<Long> any = client.watches.keySet().stream().findAny();
      any.ifPresent(
          id -> {
            assertEquals(Optional.empty(), client.stream.mark(id));
            client.asked = true;
          });
    }

    private void begun(Client client, Known known, WatchAnswer answer) {
      boolean available = known.position.revision().value() + 1 >= first();
      if (answer instanceof WatchAnswer.Created created) {
        assertTrue(available, "began with what is gone");
        known.revision = created.revision().value();
        known.position = created.position();
        client.watches.put(ids, known);
        client.asked = true;
        assertTrue(nextRevision(known) > known.revision, "skipped by its beginning");
      } else if (answer instanceof WatchAnswer.Ended ended) {
        assertFalse(available, () -> "refused for nothing: " + ended);
        assertEquals(first(), ended.available());
      }
    }

    private void cancel(Client client) {
      Optional<Long> any = client.watches.keySet().stream().findAny();
      any.ifPresent(
          id -> {
            WatchEnding why = client.stream.cancel(id).why();
            // It may have ended already without having been told.
            assertTrue(why == WatchEnding.CANCELLED || why == WatchEnding.COMPACTED, why::toString);
            client.watches.remove(id);
          });
    }

    private void read(Client client, int most) {
      // A client that was not woken since it found nothing would have nothing to read.
      for (int i = 0; i < most && (client.woken || client.asked || random.nextBoolean()); i++) {
        Optional<WatchAnswer> next = client.stream.next();
        if (next.isEmpty()) {
          client.woken = false;
          client.asked = false;
          return;
        }
        assertTrue(client.woken || client.asked, "had something to say, and woke nobody");
        WatchAnswer answer = next.get();
        Known known = Objects.requireNonNull(client.watches.get(answer.watch()));
        assertTrue(answer.revision().value() >= known.revision, "went back");
        if (answer instanceof WatchAnswer.Events events) {
          events.changes().forEach(change -> tell(known, change));
          known.position = events.position();
        } else if (answer instanceof WatchAnswer.Mark mark) {
          known.position = mark.position();
        } else if (answer instanceof WatchAnswer.Ended ended) {
          endings.merge(ended.why(), 1, Integer::sum);
          Position reached = ended.position().orElseThrow();
          assertTrue(reached.revision().value() + 1 < first(), () -> "ended for nothing: " + ended);
          client.watches.remove(answer.watch());
          continue;
        }
        known.revision = answer.revision().value();
        assertTrue(
            nextRevision(known) > known.revision,
            () -> answer + " says more than was told: " + nextRevision(known));
      }
    }

    private void tell(Known known, LockChange change) {
      told++;
      assertTrue(known.from > gap || known.revision >= gap, "went on over a gap");
      long expected = nextRevision(known);
      assertEquals(expected, change.revision().value(), "a change is missing, or comes twice");
      assertEquals(all.get(known.next).key(), change.key());
      known.next++;
    }

    /** The revision of the next change that a watch has to tell. */
    private long nextRevision(Known known) {
      while (known.next < all.size()) {
        Happened next = all.get(known.next);
        if (next.revision() >= known.from && known.selector.matches(next.key())) {
          return next.revision();
        }
        known.next++;
      }
      return Long.MAX_VALUE;
    }

    /** The first revision that is available, found the slow way. */
    private long first() {
      long first = gap + 1;
      int kept = 0;
      long newest = all.isEmpty() ? 0 : all.get(all.size() - 1).revision();
      for (int i = all.size() - 1; i >= 0 && all.get(i).revision() > gap; i--) {
        kept++;
        if (kept > maxEvents && all.get(i).revision() < newest) {
          return Math.max(first, all.get(i).revision() + 1);
        }
      }
      return first;
    }
  }
}
