package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.Seeds;
import io.holdfast.id.Epoch;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Incarnations of one persistent actor that all believe they own it, each with appends in flight
 * that are delayed, repeated, reordered and lost (I9 OneWriter).
 */
class TwoWritersTest {

  private static final ShardId SHARD = ShardId.of(1);
  private static final String ID = "lock";
  private static final Bounds BOUNDS = new Bounds(1000, 6, 4, 4, 4);

  /** One incarnation. It started in its epoch and replayed the events of that moment. */
  private static final class Writer {
    final Epoch epoch;
    long number;
    long highest;
    boolean stopped;
    final List<Append> unanswered = new ArrayList<>();

    Writer(Epoch epoch, long highest) {
      this.epoch = epoch;
      this.highest = highest;
    }
  }

  @Test
  void two_writers_never_both_have_an_event_acknowledged() {
    Seeds.each(2000, seed -> new Contest(seed).run());
  }

  /** One shard, its fence, and all copies of appends in flight. */
  private static final class Contest {

    private final SplittableRandom random;
    private final List<Append> onTheWay = new ArrayList<>();
    private final List<Writer> writers = new ArrayList<>();
    private final Set<String> tookEffect = new HashSet<>();
    private JournalState journal = new JournalState(BOUNDS, 0);
    private Epoch fence = Epoch.NONE;

    Contest(SplittableRandom random) {
      this.random = random;
      takeOver();
    }

    void run() {
      int steps = random.nextInt(50, 300);
      for (int i = 0; i < steps; i++) {
        Writer writer = writers.get(random.nextInt(writers.size()));
        int kind = random.nextInt(100);
        if (kind < 3) {
          takeOver();
        } else if (kind < 4) {
          journal = SnapshotCopy.readBack(journal.version(), BOUNDS);
        } else if (kind < 6) {
          writer.highest = highest(); // started again while its appends are in flight
        } else if (kind < 45) {
          write(writer);
        } else if (kind < 50) {
          onTheWay.addAll(writer.unanswered);
        } else if (!onTheWay.isEmpty()) {
          deliver();
        }
      }
      while (!onTheWay.isEmpty()) {
        deliver();
      }
    }

    /** Starts a new epoch. The old incarnation is not told. */
    private void takeOver() {
      fence = new Epoch(fence.value() + 1);
      writers.add(new Writer(fence, highest()));
    }

    /** Sends the next event by this writer's own view; several may be in flight. */
    private void write(Writer writer) {
      if (writer.stopped || writer.unanswered.size() >= 5) {
        return;
      }
      AppendId appendId = new AppendId(SHARD, writer.epoch, ++writer.number);
      AppendBuilder draft =
          AppendBuilder.of(appendId, ID, ++writer.highest, appendId.toString()).shows("a change");
      // A tombstone of an id without events would change nothing.
      if (writer.highest > 1 && random.nextInt(6) == 0) {
        draft.tombstone();
        writer.highest = 0;
      }
      Append append = draft.done();
      writer.unanswered.add(append);
      onTheWay.add(append);
    }

    /** Delivers or drops a random copy; a copy may stay in flight. */
    private void deliver() {
      int which = random.nextInt(onTheWay.size());
      Append append = onTheWay.get(which);
      if (random.nextInt(4) > 0) {
        onTheWay.remove(which);
      }
      if (random.nextInt(10) > 0) {
        List<String> before = replayed();
        Revision revision = journal.revision();
        Verdict verdict =
            journal.apply(journal.index() + 1, List.of(append), shard -> fence).get(0);
        check(append, before, journal.revision().compareTo(revision) > 0);
        answer(append, verdict);
      }
    }

    /**
     * Checks the effect of one copy on the replayed events: none, its event added, or all
     * forgotten.
     */
    private void check(Append append, List<String> before, boolean effect) {
      String event = append.event().text();
      List<String> expected = new ArrayList<>(before);
      if (effect) {
        assertTrue(tookEffect.add(event), () -> "I9 OneWriter: took effect twice [" + event + "]");
        assertEquals(fence, append.id().epoch(), "I9 OneWriter: an old epoch took effect");
        assertEquals(before.size() + 1, append.sequenceNr(), "I9 OneWriter: not the next number");
        expected.add(event);
        if (append.draft().tombstone()) {
          expected.clear();
        }
      }
      assertEquals(expected, replayed(), "an event is missing, or stands in another's place");
      assertEquals(expected.size(), highest());
    }

    private void answer(Append append, Verdict verdict) {
      Writer writer = writers.get((int) append.id().epoch().value() - 1);
      if (verdict instanceof Verdict.Gap) {
        return;
      }
      String event = append.event().text();
      writer.unanswered.remove(append);
      if (verdict instanceof Verdict.Applied) {
        assertTrue(tookEffect.contains(event), () -> "acknowledged without effect [" + event + "]");
      } else if (verdict instanceof Verdict.Fenced) {
        assertTrue(writer.epoch.compareTo(fence) < 0, "the owner is fenced");
        writer.stopped = true;
      } else {
        writer.highest = highest(); // refused: it starts again
      }
    }

    private List<String> replayed() {
      return journal.version().replay(SHARD, new PersistenceId(ID), 1).events().stream()
          .map(Bytes::text)
          .toList();
    }

    private long highest() {
      return journal.version().highestSequenceNr(SHARD, new PersistenceId(ID)).orElse(0);
    }
  }
}
