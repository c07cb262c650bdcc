package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** Compares the entries that every member has applied with the answers to the proposers. */
final class Verdict {

  private Verdict() {}

  /** Stops the load by killing all, starts them again, and looks. */
  static boolean check(Group group, Path root, String what, PrintWriter out) throws IOException {
    group.killAll();
    group.startAll();
    group.awaitLeader();
    Path acked = root.resolve("acked");
    group.acked().writeTo(acked);
    boolean good = true;
    for (int i = 0; i < Group.SIZE; i++) {
      String barrier = group.member(i).ask("barrier");
      while (!barrier.startsWith("safe")) {
        Group.pause(50);
        barrier = group.member(i).ask("barrier");
      }
      String verdict = group.member(i).ask("check " + acked);
      good &= verdict.startsWith("missing=0 unwanted=0 twice=0 ");
      out.printf("member %d: %s%n", i, verdict);
    }
    out.printf(
        "%s: %d acknowledged, %s%n",
        what, group.acked().count(), good ? "nothing lost" : "NOT as acknowledged");
    return good && group.acked().count() > 0;
  }
}
