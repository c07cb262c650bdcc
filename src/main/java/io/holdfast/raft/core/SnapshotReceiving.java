package io.holdfast.raft.core;

import org.jspecify.annotations.Nullable;

/**
 * The receiving side of a snapshot transfer: pieces are written in order, and each answer names the
 * offset wanted next, so a transfer goes on where it was cut.
 *
 * <p>A snapshot replaces the log only if it is newer than all that is committed here. A witness
 * keeps the bytes of newer snapshots also beside its log, so that it can compact it.
 */
final class SnapshotReceiving {

  private final MemberState state;
  private @Nullable SnapshotMeta incoming;
  private long wanted;

  SnapshotReceiving(MemberState state) {
    this.state = state;
  }

  void received(Message.SnapshotChunk chunk) {
    SnapshotMeta snapshot = chunk.snapshot();
    if (isNeedless(snapshot)) {
      incoming = null;
      answer(chunk, snapshot.size());
      return;
    }
    if (!snapshot.equals(incoming)) {
      incoming = snapshot;
      wanted = 0;
    }
    if (chunk.offset() == wanted) {
      state.out.write(new Ready.SnapshotWrite(snapshot, chunk.offset(), chunk.bytes()));
      wanted += chunk.bytes().size();
      if (chunk.last()) {
        complete(snapshot);
      }
    }
    answer(chunk, wanted);
  }

  private void complete(SnapshotMeta snapshot) {
    incoming = null;
    if (state.log.matches(snapshot.index(), snapshot.term())) {
      state.log.commitTo(snapshot.index());
      state.log.keep(snapshot);
    } else {
      state.log.install(snapshot);
    }
  }

  /** True if this member's log or snapshot already has all of it. */
  private boolean isNeedless(SnapshotMeta snapshot) {
    if (state.configuration().isWitness(state.self)) {
      SnapshotMeta own = state.log.snapshot();
      return own != null && own.index() >= snapshot.index();
    }
    if (state.log.matches(snapshot.index(), snapshot.term())) {
      state.log.commitTo(snapshot.index());
    }
    return snapshot.index() <= state.log.commit();
  }

  private void answer(Message.SnapshotChunk chunk, long offset) {
    SnapshotMeta snapshot = chunk.snapshot();
    state.out.whenDurable(
        new Message.SnapshotWanted(
            state.self,
            chunk.from(),
            state.term(),
            snapshot.index(),
            snapshot.fingerprint(),
            offset));
  }
}
