package io.holdfast.raft.node;

import io.holdfast.raft.ConsensusLog.SnapshotSource;
import io.holdfast.raft.ConsensusLog.StateMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A state machine that remembers every entry as a word. */
final class Words implements StateMachine {

  private final List<String> words = new ArrayList<>();
  private int restored;
  private volatile boolean failing;

  @Override
  public synchronized void apply(long index, long term, byte[] payload) {
    words.add(new String(payload, StandardCharsets.UTF_8));
  }

  @Override
  public synchronized SnapshotSource snapshot() {
    byte[] bytes = String.join("\n", words).getBytes(StandardCharsets.UTF_8);
    return new SnapshotSource() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        if (failing) {
          throw new StackOverflowError("a state too deep");
        }
        out.write(bytes);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized void restore(long index, InputStream bytes) throws IOException {
    words.clear();
    words.addAll(List.of(new String(bytes.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)));
    restored++;
  }

  synchronized List<String> all() {
    return List.copyOf(words);
  }

  /** From now on no snapshot can be written. */
  void failToWrite() {
    failing = true;
  }

  /** The number of times that the state came from a snapshot. */
  synchronized int restored() {
    return restored;
  }
}
