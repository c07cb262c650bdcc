package io.holdfast.raft.core;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Computes what a majority of voters agrees on; in a joint configuration, a majority of each side.
 *
 * <p>Any two quorums of the same configuration share a voter, and so do quorums of two
 * configurations that follow each other.
 */
final class Quorum {

  private Quorum() {}

  /** The highest value that a quorum has reached. */
  static long reached(Configuration configuration, ToLongFunction<MemberId> value) {
    long incoming = reached(configuration.members(), value);
    return configuration.isJoint()
        ? Math.min(incoming, reached(configuration.outgoing(), value))
        : incoming;
  }

  /** True if a quorum is among those that {@code yes} holds for. */
  static boolean among(Configuration configuration, Predicate<MemberId> yes) {
    return among(configuration.members(), yes)
        && (!configuration.isJoint() || among(configuration.outgoing(), yes));
  }

  private static long reached(List<Member> rows, ToLongFunction<MemberId> value) {
    long[] values = new long[rows.size()];
    int count = 0;
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).votes()) {
        values[count++] = value.applyAsLong(rows.get(i).id());
      }
    }
    if (count == 0) {
      return 0;
    }
    Arrays.sort(values, 0, count);
    return values[(count - 1) / 2];
  }

  private static boolean among(List<Member> rows, Predicate<MemberId> yes) {
    int count = 0;
    int agreed = 0;
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).votes()) {
        count++;
        agreed += yes.test(rows.get(i).id()) ? 1 : 0;
      }
    }
    return agreed > count / 2;
  }
}
