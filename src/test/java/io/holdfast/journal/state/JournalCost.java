package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the journal: heap for a live key, time for an append, time for a version. Its main
 * prints the figures in docs/journal.md.
 */
public final class JournalCost {

  private static final int SHARDS = 48;
  private static final int BATCH = 32;
  private static final int KEY = 40;
  private static final Bytes EVENT = Bytes.of(new byte[100]);
  private static final Bytes STATE = Bytes.of(new byte[100]);
  private static final PublicChange RECORD = PublicChange.Set.of(Bytes.of(new byte[60]));

  private final SplittableRandom random = new SplittableRandom(1);
  private final long[] numbers = new long[SHARDS];
  private final int[] sequenceNrs;
  private final JournalState journal;
  private long open;

  private JournalCost(int keys) {
    sequenceNrs = new int[keys];
    LeaseTable leases = new LeaseTable(SortedBytes.EMPTY, 0, new SizeAccount());
    for (int i = 1; i <= 64; i++) {
      leases.begins(LeaseLife.of(new LeaseId(i * 0x9E3779B97F4A7CL), new Revision(1)));
    }
    journal =
        new JournalState(
            Bounds.DEFAULT,
            0,
            new Revision(0),
            leases.alive(),
            SortedBytes.EMPTY,
            List.of(),
            new SizeAccount());
  }

  public static void main(String[] arguments) {
    int keys = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
    System.out.printf("heap       %.0f bytes for each of %,d keys%n", heapPerKey(keys), keys);
    JournalCost cost = new JournalCost(keys);
    cost.fill();
    for (int round = 0; round < 4; round++) {
      System.out.printf("update     %.2f us an append%n", cost.update(false) / 1000);
    }
    for (int round = 0; round < 4; round++) {
      System.out.printf("request    %.2f us an append%n", cost.update(true) / 1000);
    }
    for (int round = 0; round < 4; round++) {
      System.out.printf("hot        %.2f us an append%n", cost.hot() / 1000);
    }
    for (int round = 0; round < 4; round++) {
      System.out.printf("version    %.2f us%n", cost.versions() / 1000);
    }
    System.out.printf("lease end  %.2f us for each of 100,000 keys%n", cost.ending(100_000) / 1000);
    JournalVersion version = cost.journal.version();
    long[] size = new long[1];
    long begin = now();
    version.writeTo((bytes, from, to) -> size[0] += to - from);
    System.out.printf("snapshot   %,d bytes, %d ms%n", size[0], (now() - begin) / 1_000_000);
  }

  /** Heap for each of this many live keys, in bytes. */
  static double heapPerKey(int keys) {
    List<JournalCost> held = new ArrayList<>(List.of(new JournalCost(keys)));
    held.get(0).fill();
    if (held.get(0).journal.revision().value() != keys) {
      throw new AssertionError("not all applied [" + held.get(0).journal.revision() + "]");
    }
    usedHeap(); // collects the garbage of others first
    long with = usedHeap();
    held.clear();
    return (double) (with - usedHeap() - 4L * keys) / keys;
  }

  /** The account of that heap, without its share for the keepers. */
  static double accountedPerKey(int keys) {
    JournalCost cost = new JournalCost(keys);
    cost.fill();
    Footprint footprint = cost.journal.footprint();
    return (double) (footprint.size() - SizeAccount.PART * footprint.parts()) / keys;
  }

  /** First appends of all keys, in an order that is not that of the keys. */
  private void fill() {
    int keys = sequenceNrs.length;
    List<Append> batch = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < keys; i++) {
      at = (at + 7_368_787) % keys; // a prime: every key once
      batch.add(append((int) at, false));
      if (batch.size() == BATCH || i == keys - 1) {
        apply(batch);
        batch.clear();
      }
    }
  }

  /** Nanoseconds for an append to a random key, which carries a state and leaves a record. */
  private double update(boolean answers) {
    return timed(() -> append(random.nextInt(sequenceNrs.length), answers));
  }

  /** The same, with few keys that are all warm. */
  private double hot() {
    return timed(() -> append(random.nextInt(1000), true));
  }

  /** Nanoseconds to take a version. */
  private double versions() {
    int count = 2_000;
    long nanos = 0;
    for (int i = 0; i < count; i++) {
      long begin = now();
      JournalVersion version = journal.version();
      nanos += now() - begin;
      if (!version.revision().equals(journal.revision())) {
        throw new AssertionError(version);
      }
    }
    return (double) nanos / count;
  }

  private double timed(Supplier<Append> next) {
    int count = 400_000;
    long nanos = 0;
    for (int i = 0; i < count; i += BATCH) {
      List<Append> batch = new ArrayList<>();
      for (int k = 0; k < BATCH; k++) {
        batch.add(next.get());
      }
      long begin = now();
      apply(batch);
      nanos += now() - begin;
    }
    return (double) nanos / count;
  }

  private void apply(List<Append> batch) {
    List<Verdict> verdicts = journal.apply(journal.index() + 1, batch, shard -> new Epoch(1));
    for (Verdict verdict : verdicts) {
      if (!(verdict instanceof Verdict.Applied)) {
        throw new AssertionError(verdict);
      }
    }
  }

  private Append append(int key, boolean answers) {
    int shard = key % SHARDS;
    List<AnsweredRequest> answered = List.of();
    if (answers) {
      open++;
      LeaseLife session =
          LeaseLife.of(new LeaseId((open % 64 + 1) * 0x9E3779B97F4A7CL), new Revision(1));
      RequestKey request = new RequestKey.Numbered(session, open, Math.max(0, open - 4096));
      answered = List.of(new AnsweredRequest(request, STATE));
    }
    return new Append(
        new AppendId(ShardId.of(shard), new Epoch(1), ++numbers[shard]),
        new PersistenceId(name(key)),
        ++sequenceNrs[key],
        EVENT,
        STATE,
        new Draft(
            List.of(RECORD),
            null,
            List.of(),
            List.of(),
            answered,
            List.of(),
            false,
            0,
            Need.NOTHING,
            /* waiters= */ 0));
  }

  private static String name(int key) {
    String number = Integer.toString(key);
    return "orders/customer/of/warehouse/".concat("0".repeat(KEY - 29 - number.length()) + number);
  }

  /** Nanoseconds for each of this many keys that are attached to a lease that ends. */
  private double ending(int keys) {
    LeaseLife lease = LeaseLife.of(new LeaseId(0x9E3779B97F4A7CL), new Revision(1));
    PublicChange held = new PublicChange.Set(List.of(new Part(STATE, lease)), Bytes.EMPTY);
    for (int key = 0; key < keys; key++) {
      apply(List.of(append(key, held, null)));
    }
    PublicChange gone = new PublicChange.Absent(Bytes.EMPTY);
    Append end = append(keys, gone, new LeaseChange.Ends(lease));
    long begin = now();
    apply(List.of(end));
    return (double) (now() - begin) / keys;
  }

  private Append append(int key, PublicChange change, @Nullable LeaseChange leaseChange) {
    int shard = key % SHARDS;
    return new Append(
        new AppendId(ShardId.of(shard), new Epoch(1), ++numbers[shard]),
        new PersistenceId(name(key)),
        ++sequenceNrs[key],
        EVENT,
        STATE,
        new Draft(
            List.of(change),
            leaseChange,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            false,
            0,
            Need.NOTHING,
            /* waiters= */ 0));
  }

  /** Processor time of this thread, which other work on the machine does not change. */
  private static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
