package io.holdfast.specification;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The specification holds where it must, and fails where a rule of it is taken away. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpecificationProof {

  private static final boolean LARGE = "large".equals(System.getProperty("bounds"));
  private static final int AT_A_TIME = 2;

  private final ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME);
  private final Map<Check, Future<ModelChecker.Answer>> answers = new LinkedHashMap<>();

  static List<Check> checks() {
    return LARGE ? Checks.large() : Checks.usual();
  }

  @BeforeAll
  void ask() {
    String classPath = Objects.requireNonNull(System.getProperty("specification.classpath"));
    ModelChecker tlc = new ModelChecker(classPath, LARGE ? 60 : 5);
    for (Check check : checks()) {
      answers.put(check, pool.submit(() -> tlc.ask(check)));
    }
  }

  @AfterAll
  void stop() {
    pool.shutdownNow();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("checks")
  void the_model_checker_comes_to_the_expected_verdict(Check check) throws Exception {
    ModelChecker.Answer answer = Objects.requireNonNull(answers.get(check)).get();
    System.out.println(
        String.format(
            "%s: %s, %,d states, %.1f s",
            check.says(), answer.verdict(), answer.distinctStates(), answer.seconds()));
    assertEquals(check.verdict(), answer.verdict(), answer::output);
  }
}
