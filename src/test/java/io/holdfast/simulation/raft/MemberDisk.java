package io.holdfast.simulation.raft;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.RaftLogView;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One member's directory: what its process writes, and what of it outlives a crash. */
interface MemberDisk {

  /** The process starts, and finds what the one before it left. */
  void open();

  /** The log as the process reads it. */
  RaftLogView log();

  /** The content that the process was told it has written. */
  LogImage memory();

  /** The content that a crash leaves for certain. */
  LogImage durable();

  /** Writes all of a reaction, in the order in which it must become durable. */
  void write(Ready ready);

  /** The number of writes so far. */
  long writes();

  /** The number of writes that no sync has covered yet. */
  int unsynced();

  /** A sync returned that began after so many writes. */
  void synced(long writes);

  /** Lets go of the entries before this one. */
  void compactBefore(long first);

  /**
   * Keeps a snapshot of the member's own, durably as the log is then; says what was written, or
   * null if the disk refused.
   */
  @Nullable SnapshotMeta snapshot(SnapshotMeta meta, byte[] bytes);

  /** A piece of the newest snapshot. */
  Bytes piece(SnapshotMeta of, long offset, int length);

  /** All of the newest snapshot. */
  byte[] snapshotBytes();

  /** The process ends, or the power fails. */
  void crash(SplittableRandom chance);

  /** Lets the disk fail in the middle of what it does soon; false if it has no middle. */
  default boolean failsSoon(SplittableRandom chance) {
    return false;
  }

  /** No failure is to come any more. */
  default void heal() {}
}
