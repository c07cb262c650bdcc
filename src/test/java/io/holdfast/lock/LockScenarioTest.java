package io.holdfast.lock;

import io.holdfast.fixtures.Transcript;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays {@code scenarios/lock}: what a lock decides, event by event, readable as a specification.
 */
class LockScenarioTest {

  static List<Path> scenarios() {
    return Transcript.in("lock");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void a_lock_does_as_its_scenario_says(Path scenario) {
    Transcript.play(scenario, new LockInterpreter()::run);
  }
}
