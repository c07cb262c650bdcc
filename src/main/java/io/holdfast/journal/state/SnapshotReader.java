package io.holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads a journal from a snapshot that a {@link JournalVersion} wrote, piece by piece. */
public final class SnapshotReader {

  private static final int PIECE = 1 << 16;
  private static final int MAX_LENGTH = 1 << 28; // far more than any key or value

  private final ByteSource source;
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE).limit(0);

  private SnapshotReader(ByteSource source) {
    this.source = source;
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
    int format = takeInt();
    Required.within("snapshot format", format, SnapshotFormat.NUMBER, SnapshotFormat.NUMBER);
    long index = takeLong();
    long revision = takeLong();
    int verdicts = takeInt();
    Required.within("verdicts kept", verdicts, bounds.verdicts(), bounds.verdicts());
    SizeAccount account = new SizeAccount();
    List<Shard> shards = new ArrayList<>();
    for (int id = takeInt(); id != SnapshotFormat.NO_MORE_SHARDS; id = takeInt()) {
      shards.add(shard(id, bounds, account));
    }
    SortedBytes leases = map();
    return new JournalState(bounds, index, revision, leases, map(), shards, account);
  }

  private Shard shard(int id, Bounds bounds, SizeAccount account) {
    VerdictRecord verdicts = new VerdictRecord(bounds.verdicts());
    long epoch = takeLong();
    long last = takeLong();
    int count = takeInt();
    for (long number = last - count + 1; number <= last; number++) {
      verdicts.record(new AppendId(id, epoch, number), verdict());
    }
    SortedBytes histories = map();
    SortedBytes kept = map();
    RequestOutcomes requests = new RequestOutcomes(bounds, kept, takeLong(), account);
    return new Shard(id, bounds, histories, requests, verdicts, account);
  }

  private Verdict verdict() {
    byte kind = takeByte();
    long value = takeLong();
    return switch (kind) {
      case SnapshotFormat.APPLIED -> new Verdict.Applied(value, takeInt());
      case SnapshotFormat.WRONG_SEQUENCE -> new Verdict.WrongSequence(value);
      case SnapshotFormat.LEASE_DEAD -> new Verdict.LeaseDead(new LeaseRef(value, takeLong()));
      case SnapshotFormat.LEASE_ALIVE -> new Verdict.LeaseAlive(new LeaseRef(value, takeLong()));
      case SnapshotFormat.ALREADY_ANSWERED ->
          new Verdict.AlreadyAnswered((int) value, Bytes.of(take(takeInt())));
      case SnapshotFormat.REQUEST_FORGOTTEN -> new Verdict.RequestForgotten((int) value);
      case SnapshotFormat.TOO_MANY_REQUESTS -> new Verdict.TooManyRequests((int) value);
      case SnapshotFormat.TOO_MANY_EVENTS -> new Verdict.TooManyEvents((int) value);
      case SnapshotFormat.STATE_FULL -> new Verdict.StateFull(value);
      default -> throw new IllegalArgumentException("verdict [" + kind + "] is not known");
    };
  }

  private SortedBytes map() {
    SortedBytes map = SortedBytes.EMPTY;
    while (takeByte() == SnapshotFormat.ENTRY) {
      more(Short.BYTES + Integer.BYTES);
      int keyLength = Short.toUnsignedInt(piece.getShort());
      int valueLength = piece.getInt();
      byte[] key = take(keyLength);
      map = map.put(key, take(valueLength));
    }
    return map;
  }

  private byte takeByte() {
    more(1);
    return piece.get();
  }

  private int takeInt() {
    more(Integer.BYTES);
    return piece.getInt();
  }

  private long takeLong() {
    more(Long.BYTES);
    return piece.getLong();
  }

  private byte[] take(int length) {
    Required.within("length", length, 0, MAX_LENGTH);
    byte[] bytes = new byte[length];
    for (int from = 0; from < length; ) {
      more(1);
      int some = Math.min(piece.remaining(), length - from);
      piece.get(bytes, from, some);
      from += some;
    }
    return bytes;
  }

  /** Reads from the source until this many bytes are there. */
  private void more(int wanted) {
    if (piece.remaining() >= wanted) {
      return;
    }
    piece.compact();
    while (piece.position() < wanted) {
      int some = source.read(piece.array(), piece.position(), piece.capacity());
      Required.that(some > 0, "the snapshot ends in the middle");
      piece.position(piece.position() + some);
    }
    piece.flip();
  }
}
