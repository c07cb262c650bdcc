package io.holdfast.bench.cluster;

import java.io.PrintWriter;

/** Prints the result of a run, with all violations. */
final class Judgement {

  private Judgement() {}

  static boolean print(Claims claims, PrintWriter out) {
    claims.violations().forEach(violation -> out.println("VIOLATION " + violation));
    out.printf(
        "%d grants acknowledged, %s%n",
        claims.count(),
        claims.violations().isEmpty()
            ? "nothing lost, nothing granted twice"
            : claims.violations().size() + " VIOLATIONS");
    return claims.violations().isEmpty();
  }
}
