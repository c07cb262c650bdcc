package io.holdfast.journal;

import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Fences;
import io.holdfast.journal.state.Fullness;
import io.holdfast.journal.state.JournalState;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.SnapshotReader;
import io.holdfast.journal.state.Verdict;
import io.holdfast.raft.ConsensusLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The journal as a state machine over the replicated log, and the door to what it is on this node.
 *
 * <p>Thread: the log's own, but {@link #version} may be called by any.
 */
public final class JournalStateMachine
    implements ConsensusLog.StateMachine, ChangeFeed, LeaseEndFeed {

  /** The first byte of the journal's entries. */
  public static final byte CODE = 2;

  /** Gets the verdicts on an entry that this process wrote, on the log's thread. */
  interface Judged {
    void judged(long number, List<Verdict> verdicts);
  }

  private record Own(long number, List<Verdict> verdicts) {}

  private final List<Own> own = new ArrayList<>();
  private final JournalListeners telling = new JournalListeners();
  private final Bounds bounds;
  private final Fences fences;
  private final long writer;
  private JournalState state;
  private Fullness fullness = Fullness.NONE;
  private volatile JournalVersion version;
  private Judged judged = (number, verdicts) -> {};

  /**
   * An empty journal.
   *
   * @param writer a random number, this process's alone
   */
  public JournalStateMachine(Bounds bounds, Fences fences, long writer) {
    this.bounds = bounds;
    this.fences = fences;
    this.writer = writer;
    state = new JournalState(bounds, 0);
    version = state.version();
  }

  /** Whom to tell of verdicts; to be called before the log begins. */
  void tell(Judged whom) {
    judged = whom;
  }

  long writer() {
    return writer;
  }

  /** The journal as this node has applied it. */
  public JournalVersion version() {
    return version;
  }

  @Override
  public void apply(long index, long term, byte[] payload) {
    EntryCodec.Entry entry = EntryCodec.decode(payload);
    List<Verdict> verdicts = state.apply(index, entry.appends(), fences, telling.effects());
    if (entry.writer() == writer) {
      own.add(new Own(entry.number(), verdicts));
    }
  }

  @Override
  public void follow(ChangeFeed.Follower follower) {
    telling.follow(follower);
  }

  @Override
  public void listen(LeaseEndFeed.Listener listener) {
    telling.listen(listener);
  }

  /**
   * Shows what was applied, and then tells of it: who hears of it must find it. The writers hear
   * last: whom a writer tells may ask those who follow.
   */
  @Override
  public void batchApplied(long index) {
    version = look();
    telling.tell(version.revision());
    for (Own each : own) {
      judged.judged(each.number, each.verdicts);
    }
    own.clear();
  }

  @Override
  public ConsensusLog.SnapshotSource snapshot() {
    JournalVersion held = state.version();
    return new ConsensusLog.SnapshotSource() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        try {
          held.writeTo((bytes, from, to) -> write(out, bytes, from, to));
        } catch (UncheckedIOException e) {
          throw new IOException(e);
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void restore(long index, InputStream bytes) throws IOException {
    try {
      state = SnapshotReader.read((into, from, to) -> read(bytes, into, from, to), bounds);
    } catch (UncheckedIOException e) {
      throw new IOException(e);
    }
    version = look();
    telling.restored(version.revision());
  }

  private JournalVersion look() {
    fullness = fullness.next(state.footprint(), fences.maxSize());
    return state.version(fullness);
  }

  private static void write(OutputStream out, byte[] bytes, int from, int to) {
    try {
      out.write(bytes, from, to - from);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int read(InputStream in, byte[] into, int from, int to) {
    try {
      return in.read(into, from, to - from);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
