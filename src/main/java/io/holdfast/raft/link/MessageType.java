package io.holdfast.raft.link;

import io.holdfast.raft.core.Message;

/** The numbers of the messages on the wire. A number is never used again for another message. */
final class MessageType {

  static final byte VOTE_REQUEST = 1;
  static final byte VOTE_RESPONSE = 2;
  static final byte APPEND_REQUEST = 3;
  static final byte APPEND_ACCEPTED = 4;
  static final byte APPEND_REJECTED = 5;
  static final byte HEARTBEAT = 6;
  static final byte HEARTBEAT_RESPONSE = 7;
  static final byte SNAPSHOT_CHUNK = 8;
  static final byte SNAPSHOT_WANTED = 9;
  static final byte HAND_OVER = 10;
  static final byte READ_REQUEST = 11;
  static final byte READ_RESPONSE = 12;
  static final byte FORWARD = 13;
  static final byte FORWARDED = 14;

  private MessageType() {}

  /** The number of a message's type; the most frequent types are asked for first. */
  static byte of(Message message) {
    if (message instanceof Message.AppendRequest) {
      return APPEND_REQUEST;
    } else if (message instanceof Message.AppendAccepted) {
      return APPEND_ACCEPTED;
    } else if (message instanceof Message.Heartbeat) {
      return HEARTBEAT;
    } else if (message instanceof Message.HeartbeatResponse) {
      return HEARTBEAT_RESPONSE;
    } else if (message instanceof Message.Forward) {
      return FORWARD;
    } else if (message instanceof Message.Forwarded) {
      return FORWARDED;
    } else if (message instanceof Message.ReadRequest) {
      return READ_REQUEST;
    } else if (message instanceof Message.ReadResponse) {
      return READ_RESPONSE;
    } else if (message instanceof Message.AppendRejected) {
      return APPEND_REJECTED;
    } else if (message instanceof Message.SnapshotChunk) {
      return SNAPSHOT_CHUNK;
    } else if (message instanceof Message.SnapshotWanted) {
      return SNAPSHOT_WANTED;
    } else if (message instanceof Message.VoteRequest) {
      return VOTE_REQUEST;
    } else if (message instanceof Message.VoteResponse) {
      return VOTE_RESPONSE;
    } else if (message instanceof Message.HandOver) {
      return HAND_OVER;
    }
    throw new AssertionError("message [" + message + "] has no number");
  }
}
