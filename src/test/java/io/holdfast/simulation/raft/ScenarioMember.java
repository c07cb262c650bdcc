package io.holdfast.simulation.raft;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.Settings;
import io.holdfast.raft.core.SnapshotMeta;
import io.holdfast.raft.node.MemberHost;
import io.holdfast.raft.node.Reactions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A member of a scenario: carries out each reaction at once and tells it line by line. */
final class ScenarioMember implements MemberHost {

  private final MemberId id;
  private final Settings settings;
  private final Consumer<String> tell;
  private final Consumer<Message> network;
  private final Deque<Consumer<LogImage>> unsynced = new ArrayDeque<>();
  private LogImage durable = new LogImage(entry -> {});
  private LogImage memory = new LogImage(entry -> {});
  private @Nullable RaftCore core;
  private @Nullable Reactions reactions;
  private @Nullable Runnable syncing;
  private boolean stalled;
  private long clockMs;
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
    RaftCore running =
        new RaftCore(id, settings, incarnation, memory, hardState, id.value(), clockMs);
    core = running;
    reactions = new Reactions(running, this);
    settle();
  }

  /** Loses what is not synced. */
  void crash() {
    core = null;
    syncing = null;
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
    Reactions carrying = reactions;
    if (running == null || carrying == null) {
      return;
    }
    do {
      for (Ready ready = running.ready(); ready != null; ready = running.ready()) {
        carrying.carryOut(ready);
      }
    } while (syncs());
  }

  private boolean syncs() {
    Runnable synced = syncing;
    if (stalled || synced == null) {
      return false;
    }
    syncing = null;
    while (!unsynced.isEmpty()) {
      unsynced.remove().accept(durable);
    }
    synced.run();
    return true;
  }

  @Override
  public void sync(Runnable synced) {
    syncing = synced;
  }

  @Override
  public void write(Ready ready) {
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
  }

  @Override
  public void compactBefore(long first) {
    tell.accept(id + " compacts before " + first);
    both(image -> image.compactBefore(first));
  }

  @Override
  public Bytes piece(Ready.SnapshotRead piece) {
    return memory.piece(piece.snapshot(), piece.offset(), piece.length());
  }

  @Override
  public void flush() {}

  @Override
  public void restore(SnapshotMeta snapshot) {
    String state = new String(memory.snapshotBytes(), StandardCharsets.UTF_8);
    tell.accept(id + " restores \"" + state + "\"");
  }

  @Override
  public void apply(Entry entry) {
    tell.accept(id + " applies " + describe(entry));
  }

  @Override
  public void batchApplied(long index) {}

  @Override
  public void ended(ProposalOutcome outcome) {
    tell.accept(id + " answers proposal " + outcome);
  }

  @Override
  public void ended(ReadOutcome outcome) {
    String answer = outcome.isSafe() ? "at " + outcome.index() : "" + outcome.refusal();
    tell.accept(id + " answers read " + outcome.id() + " " + answer);
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    MemberId leader = leadership.leader();
    tell.accept(
        id
            + " is "
            + leadership.role()
            + " in term "
            + leadership.term()
            + (leader == null || leader.equals(id) ? "" : " of " + leader));
  }

  private void both(Consumer<LogImage> write) {
    write.accept(memory);
    unsynced.add(write);
  }

  @Override
  public void send(Message message) {
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
