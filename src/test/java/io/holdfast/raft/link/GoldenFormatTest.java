package io.holdfast.raft.link;

import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.Transcript;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.SnapshotMeta;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One example of everything that members send each other, byte by byte. */
class GoldenFormatTest {

  private static final MemberId FROM = new MemberId(0x11);
  private static final MemberId TO = new MemberId(0x22);
  private static final Member MEMBER = Member.voter(FROM, "here:1");
  private static final SnapshotMeta SNAPSHOT =
      new SnapshotMeta(
          9,
          8,
          new Formation(77, 48, 5, List.of(MEMBER)),
          Configuration.of(MEMBER),
          1,
          1000,
          0x0123456789abcdefL);

  private static final List<Message> MESSAGES =
      List.of(
          new Message.VoteRequest(FROM, TO, 1, 2, 3, true, false),
          new Message.VoteResponse(FROM, TO, 1, false, true),
          new Message.AppendRequest(
              FROM,
              TO,
              1,
              2,
              3,
              List.of(
                  new Entry(1, 3, EntryKind.NOOP, new byte[0]),
                  new Entry(1, 4, EntryKind.PROPOSAL, new byte[] {0xa, 0xb})),
              4,
              5),
          new Message.AppendAccepted(FROM, TO, 1, 2, 3),
          new Message.AppendRejected(FROM, TO, 1, 2, 3, 4, 5),
          new Message.Heartbeat(FROM, TO, 1, 2, 3),
          new Message.HeartbeatResponse(FROM, TO, 1, 2),
          new Message.SnapshotChunk(FROM, TO, 1, SNAPSHOT, 2, Bytes.of(new byte[] {0xa, 0xb})),
          new Message.SnapshotWanted(FROM, TO, 1, 2, 3, 4),
          new Message.HandOver(FROM, TO, 1),
          new Message.ReadRequest(FROM, TO, 1, 2),
          new Message.ReadResponse(FROM, TO, 1, 2, 3),
          new Message.Forward(FROM, TO, 1, 2, List.of(Bytes.of(new byte[] {0xa, 0xb}))),
          new Message.Forwarded(FROM, TO, 1, 2, 3, 4));

  static List<Path> files() {
    return Transcript.in("link");
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_frame_is_sent_as_was_promised(Path file) {
    Map<String, String> sent = sent();
    Transcript.play(file, name -> sent.getOrDefault(name, "nothing is sent so"));
  }

  private static Map<String, String> sent() {
    Map<String, String> sent = new LinkedHashMap<>();
    for (Message message : MESSAGES) {
      sent.put(message.getClass().getSimpleName(), hex(MessageCodecTest.encode(message)));
    }
    Hello hello = new Hello(false, 77, 0, FROM, 3, TO.value(), "here:1");
    sent.put("Hello", hex(GreetingCodec.encode(hello)));
    sent.put("Welcome", hex(GreetingCodec.encode(new Welcome(TO, 4))));
    sent.put("Refused", hex(GreetingCodec.encode(new Refused(Refused.GROUP, "no"))));
    sent.put("Question", hex(GreetingCodec.wrap(FrameFormat.QUESTION, new byte[] {0xa})));
    sent.put("Answer", hex(GreetingCodec.wrap(FrameFormat.ANSWER, new byte[] {0xb})));
    sent.put("Frames", frames());
    return sent;
  }

  /** Two messages that share a frame, and a ping. */
  private static String frames() {
    FrameOutput output = new FrameOutput(1024);
    output.offer(new Message.HandOver(FROM, TO, 1), 1024);
    output.offer(new Message.ReadRequest(FROM, TO, 1, 2), 1024);
    output.frame(FrameFormat.PING);
    ByteBuffer taken = ByteBuffer.allocate(1024);
    try {
      output.writeTo(new TakingWire(taken));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return hex(taken.flip());
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return hex(copy);
  }
}
