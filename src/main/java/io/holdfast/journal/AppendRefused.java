package io.holdfast.journal;

import io.holdfast.journal.state.Verdict;

/**
 * The journal has refused an append, for good. The actor that asked for it is not what it believes
 * to be: it must stop, and its place is taken by one that is recovered from the journal.
 */
public final class AppendRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Verdict verdict;

  AppendRefused(String persistenceId, Verdict verdict) {
    super("[" + persistenceId + "]: " + verdict, null, false, false); // it says all
    this.verdict = verdict;
  }

  public Verdict verdict() {
    return verdict;
  }
}
