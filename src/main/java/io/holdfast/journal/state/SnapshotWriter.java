package io.holdfast.journal.state;

import io.holdfast.bytes.ByteSink;
import io.holdfast.bytes.BytesOutput;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import java.util.List;

/** Writes a version of the journal in pieces, in {@link SnapshotFormat}. */
final class SnapshotWriter {

  private final BytesOutput out;

  SnapshotWriter(ByteSink sink) {
    out = new BytesOutput(sink);
  }

  void write(
      Bounds bounds,
      long index,
      Revision revision,
      List<Shard.Frozen> shards,
      SortedBytes leases,
      SortedBytes attached) {
    out.putInt(SnapshotFormat.NUMBER);
    out.putLong(index);
    out.putLong(revision.value());
    out.putInt(bounds.verdicts());
    for (Shard.Frozen shard : shards) {
      out.putInt(shard.id().value());
      write(shard.verdicts());
      write(shard.histories());
      write(shard.requests());
      out.putLong(shard.lastOrder());
    }
    out.putInt(SnapshotFormat.NO_MORE_SHARDS);
    write(leases);
    write(attached);
    out.flush();
  }

  private void write(VerdictRecord.Frozen verdicts) {
    out.putLong(verdicts.epoch().value());
    out.putLong(verdicts.last());
    out.putInt((int) (verdicts.last() - verdicts.oldest() + 1));
    for (long number = verdicts.oldest(); number <= verdicts.last(); number++) {
      verdicts.of(number).match(new Verdicts());
    }
  }

  private void write(SortedBytes map) {
    map.scan(
        new byte[0],
        (key, value) -> {
          int length = 0;
          for (byte[] some : value) {
            length += some.length;
          }
          out.putByte(SnapshotFormat.ENTRY).putShort(key.length).putInt(length).put(key);
          for (byte[] some : value) {
            out.put(some);
          }
          return true;
        });
    out.putByte(SnapshotFormat.NO_MORE_ENTRIES);
  }

  /** Writes verdicts. {@code Fenced}, {@code Gap} and {@code Forgotten} are never recorded. */
  private final class Verdicts implements Verdict.Cases<Boolean> {

    @Override
    public Boolean applied(Verdict.Applied applied) {
      one(SnapshotFormat.APPLIED, applied.revision().value());
      out.putInt(applied.ended());
      return true;
    }

    @Override
    public Boolean wrongSequence(Verdict.WrongSequence wrongSequence) {
      return one(SnapshotFormat.WRONG_SEQUENCE, wrongSequence.highest());
    }

    @Override
    public Boolean leaseDead(Verdict.LeaseDead leaseDead) {
      return one(SnapshotFormat.LEASE_DEAD, leaseDead.lease());
    }

    @Override
    public Boolean leaseAlive(Verdict.LeaseAlive leaseAlive) {
      return one(SnapshotFormat.LEASE_ALIVE, leaseAlive.lease());
    }

    @Override
    public Boolean alreadyAnswered(Verdict.AlreadyAnswered alreadyAnswered) {
      one(SnapshotFormat.ALREADY_ANSWERED, alreadyAnswered.answer());
      out.putInt(alreadyAnswered.outcome().size());
      out.put(alreadyAnswered.outcome().array());
      return true;
    }

    @Override
    public Boolean requestForgotten(Verdict.RequestForgotten requestForgotten) {
      return one(SnapshotFormat.REQUEST_FORGOTTEN, requestForgotten.answer());
    }

    @Override
    public Boolean tooManyRequests(Verdict.TooManyRequests tooManyRequests) {
      return one(SnapshotFormat.TOO_MANY_REQUESTS, tooManyRequests.answer());
    }

    @Override
    public Boolean tooManyEvents(Verdict.TooManyEvents tooManyEvents) {
      return one(SnapshotFormat.TOO_MANY_EVENTS, tooManyEvents.max());
    }

    @Override
    public Boolean stateFull(Verdict.StateFull stateFull) {
      return one(SnapshotFormat.STATE_FULL, stateFull.bound());
    }

    @Override
    public Boolean fenced(Verdict.Fenced fenced) {
      throw new IllegalStateException("recorded [" + fenced + "]");
    }

    @Override
    public Boolean gap(Verdict.Gap gap) {
      throw new IllegalStateException("recorded [" + gap + "]");
    }

    @Override
    public Boolean forgotten(Verdict.Forgotten forgotten) {
      throw new IllegalStateException("recorded [" + forgotten + "]");
    }

    private Boolean one(byte kind, LeaseLife lease) {
      one(kind, lease.id().value());
      out.putLong(lease.incarnation().value());
      return true;
    }

    private Boolean one(byte kind, long value) {
      out.putByte(kind);
      out.putLong(value);
      return true;
    }
  }
}
