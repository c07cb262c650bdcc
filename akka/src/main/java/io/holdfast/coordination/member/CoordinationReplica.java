package io.holdfast.coordination.member;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordination as one member has it: the state, as the entries that this member has applied have
 * made it.
 *
 * <p>Thread: that of whoever brings the entries, but {@link #read} may be called by any.
 */
public class CoordinationReplica {

  /** The first byte of coordination's entries. */
  public static final byte CODE = 1;

  /**
   * A command that was applied.
   *
   * @param number the number of the command among this process's own; 0 if another wrote it
   */
  public record Applied(long number, CoordinationCommand command, CoordinationVerdict verdict) {}

  /** Gets the changes, on the log's thread, which it must not block. */
  public interface Follower {

    /** These commands were applied, in this order; the state may be further already. */
    void applied(List<Applied> batch);

    /** The state was replaced by that of a later place in the log. */
    void restored();

    /** The leader of the log has changed, or is not known any more. */
    default void leadershipChanged() {}

    /** The process of a member seems to have ended. */
    default void peerGone(NodeId peer) {}
  }

  /** An entry of coordination, as it stands in the log. */
  public record Written(long index, Bytes payload) {}

  /** The state after the entry of this index, as bytes. */
  public record Image(long index, Bytes state) {}

  /** Gets the entries themselves, on the log's thread, to pass them on. */
  public interface Copyist {

    /** These were applied, in this order. */
    void written(List<Written> batch);

    /** The state changed without an entry: the copyist must begin again with an image. */
    void restarted();
  }

  private static final Logger log = LoggerFactory.getLogger(CoordinationReplica.class);

  private final long writer;
  private final List<Copyist> copyists = new CopyOnWriteArrayList<>();
  private List<Written> copied = new ArrayList<>();
  private boolean restarts;
  private List<Applied> batch = new ArrayList<>();
  private CoordinationState state = new CoordinationState(); // changed under this object's monitor
  private @Nullable Follower follower;

  /**
   * A cluster that is not founded.
   *
   * @param writer a random number, this process's alone
   */
  public CoordinationReplica(long writer) {
    this.writer = writer;
  }

  /** Sets the follower. Call it before the log begins. */
  public void attach(Follower follower) {
    this.follower = follower;
  }

  /** Returns the follower, if it is set. */
  protected @Nullable Follower follower() {
    return follower;
  }

  /** Passes every entry from now on to the copyist, until the returned action is run. */
  public Runnable copyFor(Copyist copyist) {
    copyists.add(copyist);
    return () -> copyists.remove(copyist);
  }

  /** The state as it is now. */
  public synchronized Image image() {
    return new Image(state.appliedIndex(), Bytes.of(state.toBytes()));
  }

  /** Replaces the state by that of an image. */
  public void restore(Image image) throws IOException {
    restore(image.index(), new ByteArrayInputStream(image.state().array()));
  }

  /** The bytes of this process's entry of that number. */
  public byte[] entry(long number, CoordinationCommand command) {
    return CoordinationCodec.encode(CODE, new CoordinationCodec.Entry(writer, number, command));
  }

  /** Reads something of the state as it is now. The state must not be kept. */
  public synchronized <T> T read(Function<CoordinationState, T> what) {
    return what.apply(state);
  }

  /** The shard's current epoch, at this place of the log; for the other machines of the log. */
  public Epoch epochOf(ShardId shard) {
    return state.fence(shard);
  }

  /** The bound on all state, at this place of the log; for the other machines of the log. */
  public long stateBound() {
    return state.stateBound();
  }

  /** Applies an entry of coordination. */
  public void apply(long index, byte[] payload) {
    CoordinationCodec.Entry entry = CoordinationCodec.decode(payload);
    apply(index, entry.writer() == writer ? entry.number() : 0, entry.command());
    if (!copyists.isEmpty()) {
      copied.add(new Written(index, Bytes.of(payload)));
    }
  }

  /** Applies what the log says besides the entries of coordination: copyists begin anew. */
  protected void applyUnwritten(long index, CoordinationCommand command) {
    apply(index, 0, command);
    restarts = true;
  }

  private void apply(long index, long number, CoordinationCommand command) {
    CoordinationVerdict verdict;
    synchronized (this) {
      verdict = state.apply(index, command);
    }
    if (command instanceof CoordinationCommand.Configure
        && verdict instanceof CoordinationVerdict.Refused refused) {
      log.error(
          "the log's members were refused as [{}] at index [{}]: majorities are counted by older"
              + " ones [{}]",
          refused.reason(),
          index,
          command);
    }
    batch.add(new Applied(number, command, verdict));
  }

  /** Called after each batch of {@link #apply}, when waiting callers may be answered. */
  public void batchApplied(long index) {
    if (!batch.isEmpty()) {
      List<Applied> applied = batch;
      batch = new ArrayList<>();
      if (follower != null) {
        follower.applied(applied);
      }
    }
    tellCopyists();
  }

  private void tellCopyists() {
    if (restarts) {
      copyists.forEach(Copyist::restarted);
    } else if (!copied.isEmpty()) {
      List<Written> all = copied;
      copyists.forEach(copyist -> copyist.written(all));
    }
    restarts = false;
    if (!copied.isEmpty()) {
      copied = new ArrayList<>();
    }
  }

  /** The state as bytes, as it is now; on the thread that brings the entries. */
  protected byte[] stateBytes() {
    return state.toBytes();
  }

  /** Replaces the state by that of a later place in the log. */
  public void restore(long index, InputStream bytes) throws IOException {
    CoordinationState restored;
    try {
      restored = CoordinationState.readFrom(bytes.readAllBytes());
    } catch (IllegalArgumentException e) {
      throw new IOException("the state of coordination cannot be read: " + e.getMessage(), e);
    }
    synchronized (this) {
      state = restored;
    }
    batch.clear();
    restarts = true;
    tellCopyists();
    if (follower != null) {
      follower.restored();
    }
  }
}
