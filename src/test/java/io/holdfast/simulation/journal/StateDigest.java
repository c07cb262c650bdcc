package io.holdfast.simulation.journal;

import io.holdfast.journal.state.JournalVersion;
import java.util.Arrays;

/** A number made of all that a member has applied, and how large it takes that to be. */
final class StateDigest {

  private StateDigest() {}

  static long of(byte[] coordination, JournalVersion journal) {
    return Arrays.hashCode(coordination) * 0x9E3779B97F4A7C15L
        + journal.fullness().footprint().hashCode() * 0xC2B2AE3D27D4EB4FL
        + journal.digest();
  }
}
