package holdfast.simulation.raft;

import holdfast.raft.core.Entry;
import holdfast.raft.core.EntryKind;
import java.nio.ByteBuffer;

/** A state that remembers, in a digest, every entry it was given and their order. */
final class StateMachine {

  private long index;
  private long digest;

  void apply(Entry entry) {
    index = entry.index();
    digest = (digest ^ idOf(entry) ^ (entry.term() << 40)) * 0x9E3779B97F4A7C15L + entry.index();
  }

  /** The number of a proposal; for other entries one that no proposal has. */
  static long idOf(Entry entry) {
    return entry.kind() == EntryKind.PROPOSAL
        ? ByteBuffer.wrap(entry.payload()).getLong()
        : -entry.kind().code();
  }

  /** The state in bytes that differ from member to member, as those of real state do. */
  byte[] toBytes(long memberId, int padding) {
    ByteBuffer out = ByteBuffer.allocate(24 + padding);
    out.putLong(index).putLong(digest).putLong(memberId);
    return out.array();
  }

  void restore(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    index = in.getLong();
    digest = in.getLong();
  }

  long index() {
    return index;
  }

  long digest() {
    return digest;
  }
}
