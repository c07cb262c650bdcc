package io.holdfast.raft;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several state machines over one log, so that what one decides can depend on what another was at
 * that very place of the log.
 *
 * <p>The first byte of an entry names the machine it is for. A snapshot holds the state of each, in
 * the order in which they were given.
 */
public final class SharedLog implements ConsensusLog.StateMachine {

  private static final byte FORMAT = 1;

  /**
   * One of the machines.
   *
   * @param code the first byte of its entries; for ever
   */
  public record Part(byte code, ConsensusLog.StateMachine machine) {}

  private final List<Part> parts;
  private final ConsensusLog.@Nullable StateMachine[] byCode =
      new ConsensusLog.@Nullable StateMachine[1 << Byte.SIZE];

  public SharedLog(List<Part> parts) {
    this.parts = List.copyOf(parts);
    for (Part part : parts) {
      if (byCode[Byte.toUnsignedInt(part.code)] != null) {
        throw new IllegalArgumentException("two machines have the code [" + part.code + "]");
      }
      byCode[Byte.toUnsignedInt(part.code)] = part.machine;
    }
  }

  /** Gives the entry, code and all, to the machine that it names. */
  @Override
  public void apply(long index, long term, byte[] payload) {
    ConsensusLog.StateMachine machine =
        payload.length == 0 ? null : byCode[Byte.toUnsignedInt(payload[0])];
    if (machine == null) {
      throw new IllegalStateException(
          "entry [%d] is for nobody here: was it written by a later release?".formatted(index));
    }
    machine.apply(index, term, payload);
  }

  @Override
  public void founded(long index, Formation formation) {
    parts.forEach(part -> part.machine.founded(index, formation));
  }

  @Override
  public void configured(long index, List<Member> members) {
    parts.forEach(part -> part.machine.configured(index, members));
  }

  @Override
  public void batchApplied(long index) {
    parts.forEach(part -> part.machine.batchApplied(index));
  }

  @Override
  public ConsensusLog.SnapshotSource snapshot() {
    List<ConsensusLog.SnapshotSource> held = new ArrayList<>();
    parts.forEach(part -> held.add(part.machine.snapshot()));
    return new Sections(held);
  }

  @Override
  public void restore(long index, InputStream bytes) throws IOException {
    DataInputStream in = new DataInputStream(bytes);
    byte format = in.readByte();
    int count = in.readUnsignedByte();
    if (format != FORMAT || count != parts.size()) {
      throw new IOException(
          "a snapshot of format [%d] with [%d] parts is not format [%d] with [%d]"
              .formatted(format, count, FORMAT, parts.size()));
    }
    for (Part part : parts) {
      byte code = in.readByte();
      if (code != part.code) {
        throw new IOException("part [" + code + "] stands where [" + part.code + "] must");
      }
      SectionInput section = new SectionInput(in);
      part.machine.restore(index, section);
      section.skipRest();
    }
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    parts.forEach(part -> part.machine.leadershipChanged(leadership));
  }

  @Override
  public void membersChanged(List<Member> members) {
    parts.forEach(part -> part.machine.membersChanged(members));
  }

  @Override
  public void peerGone(MemberId peer) {
    parts.forEach(part -> part.machine.peerGone(peer));
  }

  private final class Sections implements ConsensusLog.SnapshotSource {

    private final List<ConsensusLog.SnapshotSource> held;

    Sections(List<ConsensusLog.SnapshotSource> held) {
      this.held = held;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      DataOutputStream data = new DataOutputStream(out);
      data.writeByte(FORMAT);
      data.writeByte(parts.size());
      for (int i = 0; i < parts.size(); i++) {
        data.writeByte(parts.get(i).code);
        SectionOutput section = new SectionOutput(data);
        held.get(i).writeTo(section);
        section.end();
      }
      data.flush();
    }

    @Override
    public void close() {
      held.forEach(ConsensusLog.SnapshotSource::close);
    }
  }
}
