package io.holdfast.raft.core;

import java.util.ArrayList;
import java.util.List;

/** Collects what goes into the next {@link Ready}, besides the log itself. */
final class Outbox {

  private List<Message> now = new ArrayList<>();
  private List<Message> whenDurable = new ArrayList<>();
  private List<Ready.SnapshotRead> snapshotReads = new ArrayList<>();
  private List<Ready.SnapshotWrite> snapshotWrites = new ArrayList<>();
  private List<ProposalOutcome> outcomes = new ArrayList<>();
  private List<ReadOutcome> reads = new ArrayList<>();

  /** Sends a message that does not depend on this member's disk. */
  void now(Message message) {
    now.add(message);
  }

  /** Sends what is only true once all that this member was told so far is durable. */
  void whenDurable(Message message) {
    whenDurable.add(message);
  }

  void read(Ready.SnapshotRead piece) {
    snapshotReads.add(piece);
  }

  void write(Ready.SnapshotWrite piece) {
    snapshotWrites.add(piece);
  }

  void outcome(ProposalOutcome outcome) {
    outcomes.add(outcome);
  }

  void read(ReadOutcome outcome) {
    reads.add(outcome);
  }

  boolean isEmpty() {
    return now.isEmpty()
        && whenDurable.isEmpty()
        && snapshotReads.isEmpty()
        && snapshotWrites.isEmpty()
        && outcomes.isEmpty()
        && reads.isEmpty();
  }

  List<Message> takeNow() {
    List<Message> taken = now;
    now = new ArrayList<>();
    return taken;
  }

  List<Message> takeWhenDurable() {
    List<Message> taken = whenDurable;
    whenDurable = new ArrayList<>();
    return taken;
  }

  List<Ready.SnapshotRead> takeSnapshotReads() {
    List<Ready.SnapshotRead> taken = snapshotReads;
    snapshotReads = new ArrayList<>();
    return taken;
  }

  List<Ready.SnapshotWrite> takeSnapshotWrites() {
    List<Ready.SnapshotWrite> taken = snapshotWrites;
    snapshotWrites = new ArrayList<>();
    return taken;
  }

  List<ProposalOutcome> takeOutcomes() {
    List<ProposalOutcome> taken = outcomes;
    outcomes = new ArrayList<>();
    return taken;
  }

  List<ReadOutcome> takeReads() {
    List<ReadOutcome> taken = reads;
    reads = new ArrayList<>();
    return taken;
  }
}
