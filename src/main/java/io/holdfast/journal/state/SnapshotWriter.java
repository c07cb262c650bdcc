package io.holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.List;

/** Writes a version of the journal in pieces, in {@link SnapshotFormat}. */
final class SnapshotWriter {

  private static final int PIECE = 1 << 16;

  private final ByteSink sink;
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE);

  SnapshotWriter(ByteSink sink) {
    this.sink = sink;
  }

  void write(
      Bounds bounds,
      long index,
      long revision,
      List<Shard.Frozen> shards,
      SortedBytes leases,
      SortedBytes attached) {
    putInt(SnapshotFormat.NUMBER);
    putLong(index);
    putLong(revision);
    putInt(bounds.verdicts());
    for (Shard.Frozen shard : shards) {
      putInt(shard.id());
      write(shard.verdicts());
      write(shard.histories());
      write(shard.requests());
      putLong(shard.lastOrder());
    }
    putInt(SnapshotFormat.NO_MORE_SHARDS);
    write(leases);
    write(attached);
    flush();
  }

  private void write(VerdictRecord.Frozen verdicts) {
    putLong(verdicts.epoch());
    putLong(verdicts.last());
    putInt((int) (verdicts.last() - verdicts.oldest() + 1));
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
          room(7);
          piece.put(SnapshotFormat.ENTRY).putShort((short) key.length).putInt(length);
          put(key);
          for (byte[] some : value) {
            put(some);
          }
          return true;
        });
    putByte(SnapshotFormat.NO_MORE_ENTRIES);
  }

  private void putByte(byte value) {
    room(1);
    piece.put(value);
  }

  private void putInt(int value) {
    room(Integer.BYTES);
    piece.putInt(value);
  }

  private void putLong(long value) {
    room(Long.BYTES);
    piece.putLong(value);
  }

  private void put(byte[] bytes) {
    for (int from = 0; from < bytes.length; ) {
      room(1);
      int length = Math.min(piece.remaining(), bytes.length - from);
      piece.put(bytes, from, length);
      from += length;
    }
  }

  private void room(int wanted) {
    if (piece.remaining() < wanted) {
      flush();
    }
  }

  private void flush() {
    sink.write(piece.array(), 0, piece.position());
    piece.clear();
  }

  /** Writes verdicts. {@code Fenced}, {@code Gap} and {@code Forgotten} are never recorded. */
  private final class Verdicts implements Verdict.Cases<Boolean> {

    @Override
    public Boolean applied(Verdict.Applied applied) {
      one(SnapshotFormat.APPLIED, applied.revision());
      putInt(applied.ended());
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
      putInt(alreadyAnswered.outcome().size());
      put(alreadyAnswered.outcome().array());
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

    private Boolean one(byte kind, LeaseRef lease) {
      one(kind, lease.id());
      putLong(lease.incarnation());
      return true;
    }

    private Boolean one(byte kind, long value) {
      putByte(kind);
      putLong(value);
      return true;
    }
  }
}
