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
 * The journal as a state machine over the replicated log, with read access to this node's copy.
 *
 * <p>Runs on the log's own thread. Any thread may call {@link #version}.
 */
public final class JournalStateMachine
    implements ConsensusLog.StateMachine, ChangeFeed, LeaseEndFeed {

  /** The first byte of the journal's entries. */
  public static final byte CODE = 2;

  /** Receives the verdicts on an entry that this process wrote, on the log's thread. */
  interface VerdictListener {
    void judged(long number, List<Verdict> verdicts);
  }

  private record OwnEntry(long number, List<Verdict> verdicts) {}

  private final List<OwnEntry> own = new ArrayList<>();
  private final JournalListeners listeners = new JournalListeners();
  private final Bounds bounds;
  private final Fences fences;
  private final long writer;
  private JournalState state;
  private Fullness fullness = Fullness.NONE;
  private volatile JournalVersion version;
  private VerdictListener verdictListener = (number, verdicts) -> {};

  /**
   * An empty journal.
   *
   * @param writer a random number that no other process has
   */
  public JournalStateMachine(Bounds bounds, Fences fences, long writer) {
    this.bounds = bounds;
    this.fences = fences;
    this.writer = writer;
    state = new JournalState(bounds, 0);
    version = state.version();
  }

  /** Registers the listener for verdicts. Must be called before the log starts. */
  void setVerdictListener(VerdictListener listener) {
    verdictListener = listener;
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
    List<Verdict> verdicts = state.apply(index, entry.appends(), fences, listeners.effects());
    if (entry.writer() == writer) {
      own.add(new OwnEntry(entry.number(), verdicts));
    }
  }

  @Override
  public void follow(ChangeFeed.Follower follower) {
    listeners.follow(follower);
  }

  @Override
  public void listen(LeaseEndFeed.Listener listener) {
    listeners.listen(listener);
  }

  /**
   * Publishes the new version, then tells the listeners, who must find their changes in it. It
   * tells the writers last: a reader that a writer informs may ask those listeners.
   */
  @Override
  public void batchApplied(long index) {
    version = currentVersion();
    listeners.tell(version.revision());
    for (OwnEntry each : own) {
      verdictListener.judged(each.number, each.verdicts);
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
    version = currentVersion();
    listeners.restored(version.revision());
  }

  private JournalVersion currentVersion() {
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
