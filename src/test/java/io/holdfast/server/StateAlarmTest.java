package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.journal.state.Footprint;
import io.holdfast.journal.state.Fullness;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests what operators are told of the room that is left for state. */
class StateAlarmTest {

  private static final long MAX = 100 << 10;

  private final Logger logger = (Logger) LoggerFactory.getLogger(StateAlarm.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private Fullness now = Fullness.NONE;
  private final StateAlarm alarm = new StateAlarm(() -> now);

  StateAlarmTest() {
    logger.setLevel(Level.INFO);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void detach() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  private int told(int percent, int looks) {
    now = now.next(new Footprint(MAX * percent / 100, 9, 5, 2), MAX);
    int before = lines.list.size();
    for (int i = 0; i < looks; i++) {
      alarm.run();
    }
    return lines.list.size() - before;
  }

  @Test
  void a_change_is_told_once_and_a_full_state_every_minute() {
    assertEquals(0, told(10, 100));
    assertEquals(1, told(85, 100));
    assertEquals(3, told(99, 121));
    assertEquals(1, told(50, 100));
    assertEquals(
        "the state has room again", lines.list.get(lines.list.size() - 1).getFormattedMessage());
  }

  @Test
  void the_status_says_how_much_there_is_of_how_much() {
    assertEquals(Optional.empty(), alarm.problem());
    told(99, 0);
    assertEquals(
        Optional.of(
            "the state is full, nothing more is granted: [99] of at most [100] KiB,"
                + " with [5] grants and leases and [2] waiters"),
        alarm.problem());
  }
}
