package io.holdfast.server;

import io.holdfast.coordination.Administration;
import io.holdfast.coordination.StateCopies;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.LogControl;
import io.holdfast.wire.EntityIds;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Copies of this node's state, held fast on the thread of its log and written on another. */
final class StateCopying implements StateCopies {

  /** The number of records that are looked at in one go. */
  private static final int PAGE = 1_000;

  private final LogControl control;
  private final ConsensusLog.StateMachine machine;
  private final Supplier<JournalVersion> journal;
  private final Administration administration;

  /**
   * Copies of what a member applies.
   *
   * @param machine all that the log drives
   * @param journal the version of the journal that readers see, once a batch of entries is applied
   */
  StateCopying(
      LogControl control,
      ConsensusLog.StateMachine machine,
      Supplier<JournalVersion> journal,
      Administration administration) {
    this.control = control;
    this.machine = machine;
    this.journal = journal;
    this.administration = administration;
  }

  @Override
  public CompletionStage<Copy> take() {
    return administration
        .view()
        .thenCompose(
            cluster ->
                control.between(
                    index -> new Held(index, machine.snapshot(), journal.get(), cluster)));
  }

  private record Held(
      long index,
      ConsensusLog.SnapshotSource source,
      JournalVersion version,
      Administration.ClusterView cluster,
      AtomicBoolean isClosed)
      implements Copy {

    Held(
        long index,
        ConsensusLog.SnapshotSource source,
        JournalVersion version,
        Administration.ClusterView cluster) {
      this(index, source, version, cluster, new AtomicBoolean());
    }

    @Override
    public Facts facts() {
      return new Facts(index, version.revision(), heldLocks(), version.leaseCount(), cluster);
    }

    private long heldLocks() {
      long held = 0;
      String after = "";
      while (true) {
        List<PublicRecord> page = version.list(EntityIds.LOCK, after, PAGE);
        held += page.size();
        if (page.size() < PAGE) {
          return held;
        }
        after = page.get(page.size() - 1).id().value();
      }
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      source.writeTo(out);
    }

    @Override
    public void close() {
      if (isClosed.compareAndSet(false, true)) {
        source.close();
      }
    }
  }
}
