package io.holdfast.lock.rules;

import io.holdfast.fixtures.Transcript;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays {@code scenarios/lock}: the decisions of a lock, event by event, readable as a
 * specification.
 */
class LockScenarioTest {

  static List<Path> scenarios() {
    return Transcript.in("lock");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void a_lock_follows_its_scenario(Path scenario) {
    Transcript.play(scenario, new LockInterpreter()::run);
  }
}
