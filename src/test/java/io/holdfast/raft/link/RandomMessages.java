package io.holdfast.raft.link;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.SnapshotMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One message of every type, with random content. */
final class RandomMessages {

  private final SplittableRandom random;
  private final MemberId from;
  private final MemberId to;

  RandomMessages(SplittableRandom random, MemberId from, MemberId to) {
    this.random = random;
    this.from = from;
    this.to = to;
  }

  List<Message> oneOfEach() {
    return List.of(
        new Message.VoteRequest(from, to, number(), number(), number(), flag(), flag()),
        new Message.VoteResponse(from, to, number(), flag(), flag()),
        append(),
        new Message.AppendAccepted(from, to, number(), number(), number()),
        new Message.AppendRejected(from, to, number(), number(), number(), number(), number()),
        new Message.Heartbeat(from, to, number(), number(), number()),
        new Message.HeartbeatResponse(from, to, number(), number()),
        new Message.SnapshotChunk(from, to, number(), snapshot(), number(), Bytes.of(bytes())),
        new Message.SnapshotWanted(from, to, number(), number(), random.nextLong(), number()),
        new Message.HandOver(from, to, number()),
        new Message.ReadRequest(from, to, number(), number()),
        new Message.ReadResponse(from, to, number(), number(), number()),
        forward(),
        new Message.Forwarded(from, to, number(), number(), number(), random.nextInt(1 << 20)));
  }

  private Message append() {
    long previous = number();
    List<Entry> entries = new ArrayList<>();
    EntryKind[] kinds = EntryKind.values();
    for (int i = random.nextInt(5); i > 0; i--) {
      EntryKind kind = kinds[random.nextInt(kinds.length)];
      entries.add(new Entry(number(), previous + 1 + entries.size(), kind, bytes()));
    }
    return new Message.AppendRequest(
        from, to, number(), previous, number(), entries, number(), number());
  }

  private Message forward() {
    List<Bytes> payloads = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      payloads.add(Bytes.of(bytes()));
    }
    return new Message.Forward(from, to, number(), number(), payloads);
  }

  private SnapshotMeta snapshot() {
    List<Member> members = new ArrayList<>(List.of(Member.voter(new MemberId(1), "one:1")));
    for (int i = random.nextInt(4); i > 0; i--) {
      Member.Kind[] kinds = Member.Kind.values();
      Member.Kind kind = kinds[random.nextInt(kinds.length)];
      members.add(new Member(new MemberId(1 + i), kind, random.nextInt(8), "host-" + i + ":7900"));
    }
    Configuration configuration = new Configuration(members, List.of(members.get(0)));
    Formation formation = new Formation(random.nextLong(), 48, random.nextLong(), members);
    long index = number();
    return new SnapshotMeta(
        index,
        number(),
        formation,
        configuration,
        random.nextLong(index + 1),
        number(),
        random.nextLong());
  }

  private long number() {
    return 1 + (random.nextLong() >>> (2 + random.nextInt(60)));
  }

  private boolean flag() {
    return random.nextBoolean();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }
}
