package io.holdfast.journal.state;

import io.holdfast.bytes.ByteSource;
import io.holdfast.bytes.Bytes;
import io.holdfast.bytes.BytesInput;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;

/** Reads a journal from a snapshot that a {@link JournalVersion} wrote, piece by piece. */
public final class SnapshotReader {

  private static final int MAX_LENGTH = 1 << 28; // far more than any key or value

  private final BytesInput in;

  private SnapshotReader(ByteSource source) {
    in = new BytesInput(source);
  }

  /**
   * Reads one journal.
   *
   * @throws IllegalArgumentException if this build does not read the format of the bytes
   */
  public static JournalState read(ByteSource source, Bounds bounds) {
    return new SnapshotReader(source).read(bounds);
  }

  private JournalState read(Bounds bounds) {
    int format = in.getInt();
    Required.within("snapshot format", format, SnapshotFormat.NUMBER, SnapshotFormat.NUMBER);
    long index = in.getLong();
    Revision revision = new Revision(in.getLong());
    int verdicts = in.getInt();
    Required.within("verdicts kept", verdicts, bounds.verdicts(), bounds.verdicts());
    SizeAccount account = new SizeAccount();
    List<Shard> shards = new ArrayList<>();
    for (int id = in.getInt(); id != SnapshotFormat.NO_MORE_SHARDS; id = in.getInt()) {
      shards.add(shard(ShardId.of(id), bounds, account));
    }
    SortedBytes leases = map();
    return new JournalState(bounds, index, revision, leases, map(), shards, account);
  }

  private Shard shard(ShardId id, Bounds bounds, SizeAccount account) {
    VerdictRecord verdicts = new VerdictRecord(bounds.verdicts());
    Epoch epoch = new Epoch(in.getLong());
    long last = in.getLong();
    int count = in.getInt();
    for (long number = last - count + 1; number <= last; number++) {
      verdicts.record(new AppendId(id, epoch, number), verdict());
    }
    SortedBytes histories = map();
    SortedBytes kept = map();
    RequestOutcomes requests = new RequestOutcomes(bounds, kept, in.getLong(), account);
    return new Shard(id, bounds, histories, requests, verdicts, account);
  }

  private Verdict verdict() {
    byte kind = in.getByte();
    long value = in.getLong();
    return switch (kind) {
      case SnapshotFormat.APPLIED -> new Verdict.Applied(new Revision(value), in.getInt());
      case SnapshotFormat.WRONG_SEQUENCE -> new Verdict.WrongSequence(value);
      case SnapshotFormat.LEASE_DEAD -> new Verdict.LeaseDead(life(value));
      case SnapshotFormat.LEASE_ALIVE -> new Verdict.LeaseAlive(life(value));
      case SnapshotFormat.ALREADY_ANSWERED ->
          new Verdict.AlreadyAnswered((int) value, Bytes.of(take(in.getInt())));
      case SnapshotFormat.REQUEST_FORGOTTEN -> new Verdict.RequestForgotten((int) value);
      case SnapshotFormat.TOO_MANY_REQUESTS -> new Verdict.TooManyRequests((int) value);
      case SnapshotFormat.TOO_MANY_EVENTS -> new Verdict.TooManyEvents((int) value);
      case SnapshotFormat.STATE_FULL -> new Verdict.StateFull(value);
      default -> throw new IllegalArgumentException("verdict [" + kind + "] is not known");
    };
  }

  private LeaseLife life(long id) {
    return LeaseLife.of(new LeaseId(id), new Revision(in.getLong()));
  }

  private SortedBytes map() {
    SortedBytes map = SortedBytes.EMPTY;
    while (in.getByte() == SnapshotFormat.ENTRY) {
      int keyLength = in.getShort();
      int valueLength = in.getInt();
      byte[] key = in.get(keyLength);
      map = map.put(key, take(valueLength));
    }
    return map;
  }

  private byte[] take(int length) {
    Required.within("length", length, 0, MAX_LENGTH);
    return in.get(length);
  }
}
