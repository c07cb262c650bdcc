package io.holdfast.coordination.state;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Each shard's fence, owner and mark. */
final class ShardTable {

  /**
   * One shard.
   *
   * @param fence the epoch of its owner, or a number above that of its last
   * @param requester the session that acquired it last, by {@code request}
   */
  private record Row(
      Epoch fence, SessionId owner, SessionId requester, long request, UncertainMark mark) {

    static final Row NEW =
        new Row(Epoch.NONE, SessionId.NONE, SessionId.NONE, 0, UncertainMark.NONE);
  }

  private Row[] rows = {};

  ShardTable(int shards) {
    found(shards);
  }

  /** Begins with this many shards that nobody ever owned. */
  void found(int shards) {
    rows = new Row[shards];
    Arrays.fill(rows, Row.NEW);
  }

  int size() {
    return rows.length;
  }

  ShardTerms terms() {
    return ShardTerms.of(rows.length);
  }

  boolean has(ShardId shard) {
    return shard.value() < rows.length;
  }

  Epoch fence(ShardId shard) {
    return row(shard).fence;
  }

  SessionId owner(ShardId shard) {
    return row(shard).owner;
  }

  UncertainMark mark(ShardId shard) {
    return row(shard).mark;
  }

  boolean isOwner(ShardId shard, SessionId session, Epoch epoch) {
    return has(shard)
        && !session.equals(SessionId.NONE)
        && owner(shard).equals(session)
        && fence(shard).equals(epoch);
  }

  /** True if the session asked for the shard with this number, or with a later one. */
  boolean hasSeen(ShardId shard, SessionId session, long request) {
    return row(shard).requester.equals(session) && request <= row(shard).request;
  }

  List<ShardId> ownedBy(SessionId session) {
    List<ShardId> owned = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].owner.equals(session)) {
        owned.add(ShardId.of(i));
      }
    }
    return owned;
  }

  void own(ShardId shard, SessionId session, long request, Epoch epoch) {
    rows[shard.value()] = new Row(epoch, session, session, request, mark(shard));
  }

  /** Takes the shard from its owner; {@code fence} is above its epoch. */
  void vacate(ShardId shard, Epoch fence) {
    Row row = row(shard);
    rows[shard.value()] = new Row(fence, SessionId.NONE, row.requester, row.request, row.mark);
  }

  void mark(ShardId shard, UncertainMark mark) {
    Row row = row(shard);
    rows[shard.value()] = new Row(row.fence, row.owner, row.requester, row.request, mark);
  }

  /** Raises every fence above what any life of the cluster before may have given out. */
  void raiseAll(Numbers numbers) {
    for (int i = 0; i < rows.length; i++) {
      vacate(ShardId.of(i), new Epoch(numbers.next()));
    }
  }

  void writeTo(BytesOutput out) {
    out.putInt(rows.length);
    for (Row row : rows) {
      out.putLong(row.fence.value()).putLong(row.owner.value());
      out.putLong(row.requester.value()).putLong(row.request);
      out.putLong(row.mark.id()).putInt(row.mark.ttlMs());
    }
  }

  static ShardTable readFrom(BytesInput in) {
    ShardTable table = new ShardTable(in.getCount(CoordinationBounds.MAX_SHARDS));
    for (int i = 0; i < table.rows.length; i++) {
      table.rows[i] =
          new Row(
              new Epoch(in.getLong()),
              new SessionId(in.getLong()),
              new SessionId(in.getLong()),
              in.getLong(),
              new UncertainMark(in.getLong(), in.getInt()));
    }
    return table;
  }

  private Row row(ShardId shard) {
    return rows[shard.value()];
  }
}
