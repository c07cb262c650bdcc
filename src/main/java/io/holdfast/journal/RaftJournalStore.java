package io.holdfast.journal;

import io.holdfast.journal.EpochQueue.Writing;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import io.holdfast.raft.ConsensusLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import scala.concurrent.Batchable;

/**
 * The journal in the replicated log.
 *
 * <p>What comes while an entry is on its way is sent together in the next one, when that one is
 * back or when there is much: nothing waits for a timer, but what came back without a verdict. An
 * entry costs each member more than the commands in it.
 */
public final class RaftJournalStore implements JournalStore {

  /** How many entries may be on their way. */
  private static final int MAX_IN_FLIGHT = 4;

  /** So many commands, on a node, go on their way though others are. */
  public static final int MANY = 64;

  private record LaneId(int shard, long epoch) {

    /* Who takes many shards gets their epochs in a row, and a record's own hash puts them all into
    the same place. */
    @Override
    public int hashCode() {
      return Long.hashCode((epoch << Short.SIZE ^ shard) * 0x9E3779B97F4A7C15L);
    }
  }

  private record Answer(CompletableFuture<Verdict> whom, Verdict verdict) {}

  /** What the answers set off in an actor system runs in the same task too. */
  private record Answering(List<Answer> answers) implements Runnable, Batchable {
    @Override
    public void run() {
      for (Answer answer : answers) {
        answer.whom.complete(answer.verdict);
      }
    }
  }

  private final ConsensusLog log;
  private final JournalStateMachine machine;
  private final int maxOpen;
  private final int many;
  private final Executor afterPause;

  private final Map<LaneId, EpochQueue> lanes = new HashMap<>();
  private final SendQueue outgoing = new SendQueue();
  private final Map<Long, List<Writing>> inFlight = new HashMap<>();
  private long lastEntry;
  private volatile Executor answering = Runnable::run;

  /**
   * A store over a log that runs this machine.
   *
   * @param maxOpen how many commands of one shard's epoch may wait for their verdict; not more than
   *     the journal remembers verdicts
   * @param many so many commands go on their way though others are
   * @param afterPause runs what is asked again, a little later
   */
  public RaftJournalStore(
      ConsensusLog log, JournalStateMachine machine, int maxOpen, int many, Executor afterPause) {
    this.log = log;
    this.machine = machine;
    this.maxOpen = maxOpen;
    this.many = many;
    this.afterPause = afterPause;
    machine.tell(this::judged);
  }

  @Override
  public void answerOn(Executor executor) {
    answering = executor;
  }

  @Override
  public JournalVersion version() {
    return machine.version();
  }

  @Override
  public CompletionStage<JournalVersion> confirmed() {
    return log.readBarrier()
        .thenApply(
            outcome -> {
              if (!outcome.isSafe()) {
                throw new IllegalStateException("not confirmed: [" + outcome.refusal() + "]");
              }
              return version();
            });
  }

  @Override
  public CompletionStage<JournalVersion> settled(int shard) {
    List<CompletableFuture<Verdict>> answers = new ArrayList<>();
    synchronized (this) {
      lanes.values().stream()
          .filter(lane -> lane.shard() == shard)
          .forEach(lane -> answers.addAll(lane.answers()));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(all -> version());
  }

  @Override
  public synchronized CompletionStage<Verdict> append(
      int shard, long epoch, Function<AppendId, Append> append) {
    EpochQueue lane = lanes.get(new LaneId(shard, epoch));
    if (lane == null) {
      lane = begin(new LaneId(shard, epoch));
    }
    if (lane.size() >= maxOpen) {
      return CompletableFuture.failedFuture(new StoreFull(shard, maxOpen));
    }
    Writing writing;
    try {
      writing = lane.add(append);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    if (!lane.isPausing()) {
      outgoing.add(writing);
      send();
    }
    return writing.answer;
  }

  /**
   * An epoch begins here, and those before it have ended: their numbers are not needed any more.
   */
  private EpochQueue begin(LaneId id) {
    lanes.values().removeIf(lane -> lane.isBefore(id.shard, id.epoch) && lane.size() == 0);
    EpochQueue lane = new EpochQueue(id.shard, id.epoch);
    lanes.put(id, lane);
    return lane;
  }

  /** Sends what has gathered, as far as entries may be on their way. */
  private void send() {
    while (isToSend()) {
      List<Writing> together = outgoing.take();
      long number = ++lastEntry;
      inFlight.put(number, together);
      EntryCodec.Entry entry =
          new EntryCodec.Entry(machine.writer(), number, SendQueue.appends(together));
      var unused =
          log.propose(EntryCodec.encode(JournalStateMachine.CODE, entry))
              .thenAccept(
                  outcome -> {
                    if (!outcome.isApplied()) {
                      cameBack(number);
                    }
                  });
    }
  }

  private boolean isToSend() {
    return inFlight.isEmpty()
        ? !outgoing.isEmpty()
        : outgoing.size() >= many && inFlight.size() < MAX_IN_FLIGHT;
  }

  /**
   * The entry has no place in the log, or nobody knows. If it has one after all, its commands will
   * have had their turn when they are sent again, and get the verdict of the first time.
   */
  private synchronized void cameBack(long number) {
    List<Writing> together = inFlight.remove(number);
    if (together != null) {
      pause(together);
      afterPause.execute(this::sendMore); // room for an entry, but not at once
    }
  }

  private synchronized void sendMore() {
    send();
  }

  /** The verdicts on an entry, on the log's thread, before anyone else hears that it is applied. */
  private void judged(long number, List<Verdict> verdicts) {
    List<Answer> answers;
    synchronized (this) {
      List<Writing> together = inFlight.remove(number);
      if (together == null) {
        return; // it had come back, and is asked again
      }
      answers = new ArrayList<>(together.size());
      List<Writing> again = new ArrayList<>();
      for (int i = 0; i < together.size(); i++) {
        Writing writing = together.get(i);
        Verdict verdict = verdicts.get(i);
        if (verdict instanceof Verdict.Gap) {
          again.add(writing);
        } else if (writing.lane.judged(writing)) {
          answers.add(new Answer(writing.answer, verdict));
          forgetIfFenced(writing.lane, verdict);
        }
      }
      pause(again);
      send();
    }
    answer(answers);
  }

  /* One task for all: the log's thread has more to do, and wakes up one other thread at most. */
  private void answer(List<Answer> answers) {
    Answering task = new Answering(answers);
    try {
      answering.execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }

  private void pause(List<Writing> again) {
    Set<EpochQueue> paused = new LinkedHashSet<>(); // in the order of what came back, on every run
    for (Writing writing : again) {
      writing.lane.cameBack(writing);
      paused.add(writing.lane);
    }
    for (EpochQueue lane : paused) {
      outgoing.pause(lane);
      afterPause.execute(() -> goOn(lane));
    }
  }

  private synchronized void goOn(EpochQueue lane) {
    if (lane.isPausing()) {
      outgoing.goOn(lane);
      send();
    }
  }

  /** Nothing will be applied under this epoch any more; whoever still writes hears it anew. */
  private void forgetIfFenced(EpochQueue lane, Verdict verdict) {
    if (verdict instanceof Verdict.Fenced && lane.size() == 0) {
      lanes.remove(new LaneId(lane.shard(), lane.epoch()), lane);
    }
  }
}
