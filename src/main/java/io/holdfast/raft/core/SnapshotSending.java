package io.holdfast.raft.core;

/** The sending side of one snapshot transfer: one piece at a time, at the offset last wanted. */
final class SnapshotSending {

  private final MemberState state;
  private final MemberId to;
  private SnapshotMeta snapshot;
  private long offset;
  private long sentMs;

  SnapshotSending(MemberState state, MemberId to, SnapshotMeta snapshot) {
    this.state = state;
    this.to = to;
    this.snapshot = snapshot;
    send();
  }

  /** The receiver wants to go on at an offset; says whether the transfer is complete. */
  boolean wanted(Message.SnapshotWanted answer) {
    if (answer.snapshotIndex() != snapshot.index()
        || answer.fingerprint() != snapshot.fingerprint()) {
      return false;
    }
    if (answer.offset() == snapshot.size()) {
      return true;
    }
    if (answer.offset() != offset) {
      offset = answer.offset();
      send();
    }
    return false;
  }

  /** Sends the piece again if it seems lost; begins anew if the bytes are gone. */
  void repeatLost() {
    SnapshotMeta newest = state.log.snapshot();
    if (newest != null && !state.log.holds(snapshot)) {
      snapshot = newest;
      offset = 0;
      send();
    } else if (state.nowMs() - sentMs >= 2L * state.settings.heartbeatMs()) {
      send();
    }
  }

  SnapshotMeta snapshot() {
    return snapshot;
  }

  private void send() {
    sentMs = state.nowMs();
    int length = (int) Math.min(state.settings.snapshotChunkBytes(), snapshot.size() - offset);
    state.out.read(new Ready.SnapshotRead(state.self, to, state.term(), snapshot, offset, length));
  }
}
