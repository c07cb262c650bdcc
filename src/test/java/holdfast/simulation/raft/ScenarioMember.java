package holdfast.simulation.raft;

import holdfast.raft.core.Entry;
import holdfast.raft.core.HardState;
import holdfast.raft.core.MemberCodec;
import holdfast.raft.core.MemberId;
import holdfast.raft.core.Message;
import holdfast.raft.core.RaftCore;
import holdfast.raft.core.Ready;
import holdfast.raft.core.Settings;
import holdfast.raft.core.SnapshotMeta;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A member of a scenario: carries out each reaction at once and tells it line by line. */
final class ScenarioMember {

  private record Held(long number, Message message) {}

  private final MemberId id;
  private final Settings settings;
  private final Consumer<String> tell;
  private final Consumer<Message> network;
  private final Deque<Held> held = new ArrayDeque<>();
  private final Deque<Consumer<LogImage>> unsynced = new ArrayDeque<>();
  private LogImage durable = new LogImage(entry -> {});
  private LogImage memory = new LogImage(entry -> {});
  private @Nullable RaftCore core;
  private boolean stalled;
  private long clockMs;
  private long written;
  private long incarnation;

  ScenarioMember(MemberId id, Settings settings, Consumer<String> tell, Consumer<Message> network) {
    this.id = id;
    this.settings = settings;
    this.tell = tell;
    this.network = network;
  }

  void start() {
    incarnation++;
    HardState hardState = memory.hardState();
    core = new RaftCore(id, settings, incarnation, memory, hardState, id.value(), clockMs);
    written = 0;
    settle();
  }

  /** Loses what is not synced. */
  void crash() {
    core = null;
    held.clear();
    unsynced.clear();
    memory = durable.copy(entry -> {});
    stalled = false;
  }

  void input(Consumer<RaftCore> input) {
    RaftCore running = core;
    if (running != null) {
      input.accept(running);
      settle();
    }
  }

  void waits(long ms) {
    clockMs += ms;
    input(running -> running.tick(clockMs));
  }

  /** Lets its election timeout, or its heartbeat, come due. */
  void comesDue() {
    RaftCore running = core;
    if (running != null) {
      waits(Math.max(0, running.nextTickMs() - clockMs));
    }
  }

  void stall() {
    stalled = true;
  }

  void sync() {
    stalled = false;
    settle();
  }

  void takeSnapshot(String state) {
    RaftCore running = core;
    if (running != null) {
      byte[] bytes = state.getBytes(StandardCharsets.UTF_8);
      SnapshotMeta meta =
          running.describeSnapshot(running.commit()).written(bytes.length, id.value());
      memory.snapshot(meta, bytes);
      unsynced.add(image -> image.snapshot(meta, bytes));
      input(RaftCore::snapshotTaken);
    }
  }

  RaftCore core() {
    RaftCore running = core;
    if (running == null) {
      throw new IllegalStateException(id + " is down");
    }
    return running;
  }

  /** Its log, as it reads it. */
  String log() {
    StringBuilder line = new StringBuilder(id.toString()).append(" log");
    if (memory.snapshot() != null) {
      line.append(" [").append(memory.snapshot()).append("]");
    }
    for (long index = memory.firstIndex(); index <= memory.lastIndex(); index++) {
      line.append(" ").append(describe(memory.entry(index)));
    }
    return line + (core == null ? ", down" : ", commit " + core().commit());
  }

  private void settle() {
    RaftCore running = core;
    if (running == null) {
      return;
    }
    do {
      for (Ready ready = running.ready(); ready != null; ready = running.ready()) {
        carryOut(ready);
      }
    } while (syncs(running));
  }

  private boolean syncs(RaftCore running) {
    if (stalled || (unsynced.isEmpty() && held.isEmpty())) {
      return false;
    }
    while (!unsynced.isEmpty()) {
      unsynced.remove().accept(durable);
    }
    while (!held.isEmpty() && held.peek().number <= written) {
      send(held.remove().message);
    }
    running.persisted(written);
    return true;
  }

  private void carryOut(Ready ready) {
    if (ready.leadership() != null) {
      MemberId leader = ready.leadership().leader();
      tell.accept(
          id
              + " is "
              + ready.leadership().role()
              + " in term "
              + ready.leadership().term()
              + (leader == null || leader.equals(id) ? "" : " of " + leader));
    }
    write(ready);
    ready.sendNow().forEach(this::send);
    ready.sendWhenDurable().forEach(message -> held.add(new Held(ready.number(), message)));
    ready
        .snapshotReads()
        .forEach(
            read -> send(read.chunk(memory.piece(read.snapshot(), read.offset(), read.length()))));
    if (ready.restore() != null) {
      tell.accept(
          id + " restores \"" + new String(memory.snapshotBytes(), StandardCharsets.UTF_8) + "\"");
    }
    ready.committed().forEach(entry -> tell.accept(id + " applies " + describe(entry)));
    ready.outcomes().forEach(outcome -> tell.accept(id + " answers proposal " + outcome));
    ready
        .reads()
        .forEach(
            read ->
                tell.accept(
                    id
                        + " answers read "
                        + read.id()
                        + (read.isSafe() ? " at " + read.index() : " " + read.refusal())));
    written = ready.number();
  }

  private void write(Ready ready) {
    if (ready.hardState() != null) {
      HardState hardState = ready.hardState();
      if (hardState.mustBeDurableAfter(memory.hardState())) {
        tell.accept(id + " writes " + hardState);
      }
      both(image -> image.write(hardState));
    }
    ready.snapshotWrites().forEach(piece -> both(image -> image.write(piece)));
    Ready.Install install = ready.install();
    if (install != null) {
      tell.accept(id + " installs " + install.snapshot());
      both(image -> image.install(install));
    }
    for (Entry entry : ready.entries()) {
      tell.accept(id + " writes " + describe(entry));
      both(image -> image.append(entry));
    }
    if (ready.compactBefore() > 0) {
      tell.accept(id + " compacts before " + ready.compactBefore());
      both(image -> image.compactBefore(ready.compactBefore()));
    }
  }

  private void both(Consumer<LogImage> write) {
    write.accept(memory);
    unsynced.add(write);
  }

  private void send(Message message) {
    tell.accept(describe(message));
    network.accept(message);
  }

  static String describe(Entry entry) {
    String content =
        switch (entry.kind()) {
          case PROPOSAL -> "\"" + new String(entry.payload(), StandardCharsets.UTF_8) + "\"";
          case CONFIGURATION -> MemberCodec.configuration(entry.payload()).toString();
          case FORMATION, NOOP -> entry.kind().toString();
        };
    return entry.term() + "/" + entry.index() + " " + content;
  }

  static String describe(Message message) {
    String way = message.from() + " -> " + message.to() + " term " + message.term() + " ";
    if (message instanceof Message.VoteRequest ask) {
      return way
          + (ask.preVote() ? "pre-vote?" : "vote?")
          + " log "
          + ask.lastTerm()
          + "/"
          + ask.lastIndex()
          + (ask.handOver() ? " by hand-over" : "");
    } else if (message instanceof Message.VoteResponse answer) {
      return way + (answer.preVote() ? "pre-vote " : "vote ") + (answer.granted() ? "yes" : "no");
    } else if (message instanceof Message.AppendRequest append) {
      List<String> entries = append.entries().stream().map(ScenarioMember::describe).toList();
      return way
          + "append after "
          + append.previousTerm()
          + "/"
          + append.previousIndex()
          + " "
          + entries
          + " commit "
          + append.commit();
    } else if (message instanceof Message.AppendAccepted accepted) {
      return way + "accepted to " + accepted.index();
    } else if (message instanceof Message.AppendRejected rejected) {
      return way
          + "rejected at "
          + rejected.rejected()
          + ", conflict "
          + rejected.conflictTerm()
          + "/"
          + rejected.conflictIndex();
    } else if (message instanceof Message.Heartbeat beat) {
      return way + "heartbeat commit " + beat.commit() + " round " + beat.round();
    } else if (message instanceof Message.HeartbeatResponse answer) {
      return way + "beaten round " + answer.round();
    } else if (message instanceof Message.SnapshotChunk chunk) {
      String bytes = new String(chunk.bytes().array(), StandardCharsets.UTF_8);
      return way + chunk.snapshot() + " at " + chunk.offset() + " \"" + bytes + "\"";
    } else if (message instanceof Message.SnapshotWanted wanted) {
      return way + "wants snapshot " + wanted.snapshotIndex() + " at " + wanted.offset();
    } else if (message instanceof Message.HandOver) {
      return way + "take over";
    } else if (message instanceof Message.ReadRequest) {
      return way + "read?";
    } else if (message instanceof Message.ReadResponse answer) {
      return way + "read at " + answer.index();
    } else if (message instanceof Message.Forward forward) {
      return way + "forwards " + forward.payloads().size();
    } else if (message instanceof Message.Forwarded answer) {
      return way + "placed " + answer.accepted() + " at " + answer.index();
    }
    throw new IllegalArgumentException("message [" + message + "] is unknown");
  }
}
