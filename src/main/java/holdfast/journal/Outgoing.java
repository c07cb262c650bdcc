package holdfast.journal;

import holdfast.journal.Lane.Writing;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.JournalCommand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The commands that wait to be sent, and which of them go into the next entry together. */
final class Outgoing {

  private static final int COMMANDS_AN_ENTRY = 512;
  private static final long BYTES_AN_ENTRY = 256 << 10;

  private final Deque<Writing> waiting = new ArrayDeque<>();

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void add(Writing writing) {
    waiting.add(writing);
  }

  /** Puts all that a lane has to send before everything else. */
  void goOn(Lane lane) {
    waiting.removeIf(writing -> writing.lane == lane);
    List<Writing> again = lane.goOn();
    for (int i = again.size() - 1; i >= 0; i--) {
      waiting.addFirst(again.get(i));
    }
  }

  /** A lane pauses: what it has here waits with what came back. */
  void pause(Lane lane) {
    waiting.removeIf(writing -> writing.lane == lane);
  }

  /** The first ones, as many as go into one entry; what is no append goes alone. */
  List<Writing> take() {
    List<Writing> together = new ArrayList<>();
    long bytes = 0;
    while (!waiting.isEmpty() && together.size() < COMMANDS_AN_ENTRY) {
      JournalCommand next = waiting.element().command;
      bytes += bytes(next);
      boolean alone = !(next instanceof JournalCommand.AppendBatch);
      if (!together.isEmpty() && (alone || bytes > BYTES_AN_ENTRY)) {
        break;
      }
      Writing writing = waiting.remove();
      writing.sent();
      together.add(writing);
      if (alone) {
        break;
      }
    }
    return together;
  }

  /** One command for all of them. */
  static JournalCommand command(List<Writing> together) {
    if (together.size() == 1) {
      return together.get(0).command;
    }
    List<Append> appends = new ArrayList<>(together.size());
    for (Writing writing : together) {
      if (writing.command instanceof JournalCommand.AppendBatch batch) {
        appends.addAll(batch.appends());
      }
    }
    return new JournalCommand.AppendBatch(appends);
  }

  private static long bytes(JournalCommand command) {
    long bytes = 0;
    if (command instanceof JournalCommand.AppendBatch batch) {
      for (Append append : batch.appends()) {
        Bytes state = append.state();
        for (Bytes event : append.events()) {
          bytes += event.size();
        }
        bytes += state == null ? 0 : state.size();
      }
    }
    return bytes;
  }
}
