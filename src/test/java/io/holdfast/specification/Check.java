package io.holdfast.specification;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One question to the model checker: a module, the values of its constants, what is to hold, and
 * what the answer must be.
 *
 * @param says the question's name, a sentence
 * @param module a file of {@code src/test/tla}
 * @param constants their values, as TLA+
 * @param symmetric true if members may be exchanged for one another
 * @param invariants to hold in each state
 * @param steps to hold in each step
 * @param verdict {@link #HOLDS}, or the invariant that must be found violated
 */
record Check(
    String says,
    String module,
    Map<String, String> constants,
    boolean symmetric,
    List<String> invariants,
    List<String> steps,
    String verdict) {

  static final String HOLDS = "holds";

  /** The same question where {@code constant} has another value. */
  Check with(String constant, String value) {
    if (!constants.containsKey(constant)) {
      throw new IllegalArgumentException(module + " has no constant [" + constant + "]");
    }
    Map<String, String> changed = new LinkedHashMap<>(constants);
    changed.put(constant, value);
    return new Check(says, module, changed, symmetric, invariants, steps, verdict);
  }

  /** All that the module promises holds. */
  Check holds(String name) {
    return new Check(name, module, constants, symmetric, invariants, steps, HOLDS);
  }

  /** {@code invariant} alone holds. */
  Check holds(String name, String invariant) {
    return new Check(name, module, constants, symmetric, List.of(invariant), List.of(), HOLDS);
  }

  /** {@code invariant} is found violated. */
  Check violates(String name, String invariant) {
    return new Check(name, module, constants, symmetric, List.of(invariant), List.of(), invariant);
  }

  /** The configuration for TLC. */
  List<String> configuration() {
    List<String> lines = new ArrayList<>();
    lines.add("SPECIFICATION Spec");
    if (symmetric) {
      lines.add("SYMMETRY Symmetry");
    }
    invariants.forEach(invariant -> lines.add("INVARIANT " + invariant));
    steps.forEach(step -> lines.add("PROPERTY " + step));
    lines.add("CONSTANTS");
    constants.forEach((constant, value) -> lines.add("  " + constant + " = " + value));
    return lines;
  }

  @Override
  public String toString() {
    return says + ": " + verdict;
  }
}
