package io.holdfast.raft.link;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.Message.AppendRequest;
import io.holdfast.raft.core.Message.Forward;
import io.holdfast.raft.core.Message.SnapshotChunk;
import io.holdfast.raft.core.SnapshotMeta;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The writer of messages: puts each straight into a buffer, its payloads copied once.
 *
 * <p>Sender and receiver are not written: the handshake of the connection has named both.
 */
final class MessageEncoder {

  /** The cost of an entry besides its payload: kind, term, length. */
  static final int ENTRY_BYTES = 1 + 8 + 4;

  /** The cost of a proposal in a {@link Forward} besides its bytes. */
  static final int PROPOSAL_BYTES = 4;

  private static final int SMALL_BYTES = 1 + 5 * 8;
  private static final int APPEND_BYTES = 1 + 5 * 8 + 4;
  private static final int CHUNK_BYTES = 1 + 7 * 8 + 3 * 4;
  private static final int FORWARD_BYTES = 1 + 2 * 8 + 4;

  private MessageEncoder() {}

  /** The bytes that {@link #put} needs at most; exact for messages that carry payloads. */
  static long size(Message message) {
    return switch (MessageType.of(message)) {
      case MessageType.APPEND_REQUEST -> size((AppendRequest) message);
      case MessageType.FORWARD -> size((Forward) message);
      case MessageType.SNAPSHOT_CHUNK -> size((SnapshotChunk) message);
      default -> SMALL_BYTES;
    };
  }

  static void put(ByteBuffer out, Message message) {
    byte type = MessageType.of(message);
    out.put(type).putLong(message.term());
    switch (type) {
      case MessageType.APPEND_REQUEST -> append(out, (AppendRequest) message);
      case MessageType.APPEND_ACCEPTED -> {
        var accepted = (Message.AppendAccepted) message;
        out.putLong(accepted.index()).putLong(accepted.round());
      }
      case MessageType.APPEND_REJECTED -> {
        var rejected = (Message.AppendRejected) message;
        out.putLong(rejected.rejected()).putLong(rejected.conflictTerm());
        out.putLong(rejected.conflictIndex()).putLong(rejected.round());
      }
      case MessageType.HEARTBEAT -> {
        var heartbeat = (Message.Heartbeat) message;
        out.putLong(heartbeat.commit()).putLong(heartbeat.round());
      }
      case MessageType.HEARTBEAT_RESPONSE ->
          out.putLong(((Message.HeartbeatResponse) message).round());
      case MessageType.FORWARD -> forward(out, (Forward) message);
      case MessageType.FORWARDED -> {
        var forwarded = (Message.Forwarded) message;
        out.putLong(forwarded.number()).putLong(forwarded.index()).putInt(forwarded.accepted());
      }
      case MessageType.READ_REQUEST -> out.putLong(((Message.ReadRequest) message).batch());
      case MessageType.READ_RESPONSE -> {
        var response = (Message.ReadResponse) message;
        out.putLong(response.batch()).putLong(response.index());
      }
      case MessageType.SNAPSHOT_CHUNK -> chunk(out, (SnapshotChunk) message);
      case MessageType.SNAPSHOT_WANTED -> {
        var wanted = (Message.SnapshotWanted) message;
        out.putLong(wanted.snapshotIndex()).putLong(wanted.fingerprint());
        out.putLong(wanted.offset());
      }
      case MessageType.VOTE_REQUEST -> {
        var request = (Message.VoteRequest) message;
        out.putLong(request.lastIndex()).putLong(request.lastTerm());
        out.put(flags(request.preVote(), request.handOver()));
      }
      case MessageType.VOTE_RESPONSE -> {
        var response = (Message.VoteResponse) message;
        out.put(flags(response.preVote(), response.granted()));
      }
      case MessageType.HAND_OVER -> {}
      default -> throw new AssertionError("message type [" + type + "] is not written");
    }
  }

  private static long size(AppendRequest request) {
    List<Entry> entries = request.entries();
    long size = APPEND_BYTES;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.index() != request.previousIndex() + 1 + i) {
        throw new IllegalArgumentException(
            "entry [" + entry + "] does not follow index [" + (request.previousIndex() + i) + "]");
      }
      size += ENTRY_BYTES + entry.payload().length;
    }
    return size;
  }

  private static void append(ByteBuffer out, AppendRequest request) {
    List<Entry> entries = request.entries();
    out.putLong(request.previousIndex()).putLong(request.previousTerm());
    out.putLong(request.commit()).putLong(request.round()).putInt(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      out.put((byte) entry.kind().code()).putLong(entry.term());
      out.putInt(entry.payload().length).put(entry.payload());
    }
  }

  private static long size(Forward forward) {
    List<Bytes> payloads = forward.payloads();
    long size = FORWARD_BYTES;
    for (int i = 0; i < payloads.size(); i++) {
      size += PROPOSAL_BYTES + payloads.get(i).size();
    }
    return size;
  }

  private static void forward(ByteBuffer out, Forward forward) {
    List<Bytes> payloads = forward.payloads();
    out.putLong(forward.number()).putInt(payloads.size());
    for (int i = 0; i < payloads.size(); i++) {
      Bytes payload = payloads.get(i);
      out.putInt(payload.size()).put(payload.array());
    }
  }

  private static long size(SnapshotChunk chunk) {
    SnapshotMeta meta = chunk.snapshot();
    return CHUNK_BYTES
        + MemberCodec.encode(meta.formation()).length
        + MemberCodec.encode(meta.configuration()).length
        + (long) chunk.bytes().size();
  }

  private static void chunk(ByteBuffer out, SnapshotChunk chunk) {
    SnapshotMeta meta = chunk.snapshot();
    out.putLong(meta.index()).putLong(meta.term()).putLong(meta.configurationIndex());
    out.putLong(meta.size()).putLong(meta.fingerprint());
    byte[] formation = MemberCodec.encode(meta.formation());
    out.putInt(formation.length).put(formation);
    byte[] configuration = MemberCodec.encode(meta.configuration());
    out.putInt(configuration.length).put(configuration);
    out.putLong(chunk.offset()).putInt(chunk.bytes().size()).put(chunk.bytes().array());
  }

  private static byte flags(boolean first, boolean second) {
    return (byte) ((first ? 1 : 0) | (second ? 2 : 0));
  }
}
