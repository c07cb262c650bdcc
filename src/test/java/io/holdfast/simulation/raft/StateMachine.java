package io.holdfast.simulation.raft;

import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A state that remembers, in a digest, every entry it was given and their order. */
final class StateMachine {

  private static final int HEAD = 3 * Long.BYTES;

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
    ByteBuffer out = ByteBuffer.allocate(HEAD + padding);
    out.putLong(index).putLong(digest).putLong(memberId);
    return out.array();
  }

  /** The same, with what the guest holds behind it. */
  byte[] toBytes(long memberId, Guest guest) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(toBytes(memberId, 0));
    try (ConsensusLog.SnapshotSource source = guest.snapshot()) {
      source.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Gives the guest what stands behind the digest. */
  static void restore(Guest guest, long index, byte[] bytes) {
    try {
      guest.restore(index, new ByteArrayInputStream(bytes, HEAD, bytes.length - HEAD));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A proposal's payload begins with its number; the rest is the guest's. */
  static Entry withoutId(Entry entry) {
    byte[] payload = entry.payload();
    return entry.kind() == EntryKind.PROPOSAL
        ? new Entry(
            entry.term(),
            entry.index(),
            entry.kind(),
            Arrays.copyOfRange(payload, Long.BYTES, payload.length))
        : entry;
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
