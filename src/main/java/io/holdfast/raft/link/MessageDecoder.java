package io.holdfast.raft.link;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.SnapshotMeta;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The reader of messages that came over one connection.
 *
 * <p>Each payload is copied once. Every count and length is compared with the bytes that are there
 * before anything is allocated for it.
 */
final class MessageDecoder {

  private final MemberId from;
  private final MemberId to;

  /** Reads messages of one member to another, whom the connection's handshake has named. */
  MessageDecoder(MemberId from, MemberId to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Reads the message at the buffer's position and moves behind it.
   *
   * @throws IllegalArgumentException if there is none
   */
  Message next(ByteBuffer in) {
    try {
      return message(in, in.get(), in.getLong());
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a message ends too early", e);
    }
  }

  private Message message(ByteBuffer in, byte type, long term) {
    return switch (type) {
      case MessageType.APPEND_REQUEST -> append(in, term);
      case MessageType.APPEND_ACCEPTED ->
          new Message.AppendAccepted(from, to, term, in.getLong(), in.getLong());
      case MessageType.APPEND_REJECTED ->
          new Message.AppendRejected(
              from, to, term, in.getLong(), in.getLong(), in.getLong(), in.getLong());
      case MessageType.HEARTBEAT ->
          new Message.Heartbeat(from, to, term, in.getLong(), in.getLong());
      case MessageType.HEARTBEAT_RESPONSE ->
          new Message.HeartbeatResponse(from, to, term, in.getLong());
      case MessageType.FORWARD -> forward(in, term);
      case MessageType.FORWARDED ->
          new Message.Forwarded(from, to, term, in.getLong(), in.getLong(), in.getInt());
      case MessageType.READ_REQUEST -> new Message.ReadRequest(from, to, term, in.getLong());
      case MessageType.READ_RESPONSE ->
          new Message.ReadResponse(from, to, term, in.getLong(), in.getLong());
      case MessageType.SNAPSHOT_CHUNK -> chunk(in, term);
      case MessageType.SNAPSHOT_WANTED ->
          new Message.SnapshotWanted(from, to, term, in.getLong(), in.getLong(), in.getLong());
      case MessageType.VOTE_REQUEST -> voteRequest(in, term);
      case MessageType.VOTE_RESPONSE -> {
        byte flags = flags(in);
        yield new Message.VoteResponse(from, to, term, (flags & 1) != 0, (flags & 2) != 0);
      }
      case MessageType.HAND_OVER -> new Message.HandOver(from, to, term);
      default -> throw new IllegalArgumentException("message type [" + type + "] is unknown");
    };
  }

  private Message append(ByteBuffer in, long term) {
    long previousIndex = in.getLong();
    long previousTerm = in.getLong();
    long commit = in.getLong();
    long round = in.getLong();
    int count = count(in, MessageEncoder.ENTRY_BYTES);
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      EntryKind kind = EntryKind.ofCode(in.get());
      long entryTerm = in.getLong();
      entries.add(new Entry(entryTerm, previousIndex + 1 + i, kind, bytes(in)));
    }
    return new Message.AppendRequest(
        from, to, term, previousIndex, previousTerm, entries, commit, round);
  }

  private Message forward(ByteBuffer in, long term) {
    long number = in.getLong();
    int count = count(in, MessageEncoder.PROPOSAL_BYTES);
    List<Bytes> payloads = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      payloads.add(Bytes.of(bytes(in)));
    }
    return new Message.Forward(from, to, term, number, payloads);
  }

  private Message chunk(ByteBuffer in, long term) {
    long index = in.getLong();
    long snapshotTerm = in.getLong();
    long configurationIndex = in.getLong();
    long size = in.getLong();
    long fingerprint = in.getLong();
    var formation = MemberCodec.formation(bytes(in));
    var configuration = MemberCodec.configuration(bytes(in));
    SnapshotMeta meta =
        new SnapshotMeta(
            index, snapshotTerm, formation, configuration, configurationIndex, size, fingerprint);
    return new Message.SnapshotChunk(from, to, term, meta, in.getLong(), Bytes.of(bytes(in)));
  }

  private Message voteRequest(ByteBuffer in, long term) {
    long lastIndex = in.getLong();
    long lastTerm = in.getLong();
    byte flags = flags(in);
    return new Message.VoteRequest(
        from, to, term, lastIndex, lastTerm, (flags & 1) != 0, (flags & 2) != 0);
  }

  private static byte flags(ByteBuffer in) {
    byte flags = in.get();
    if ((flags & ~3) != 0) {
      throw new IllegalArgumentException("flags [" + flags + "] are unknown");
    }
    return flags;
  }

  private static int count(ByteBuffer in, int leastBytesEach) {
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / leastBytesEach) {
      throw new IllegalArgumentException(
          "[" + count + "] parts in [" + in.remaining() + "] bytes of a message");
    }
    return count;
  }

  private static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[count(in, 1)];
    in.get(bytes);
    return bytes;
  }
}
