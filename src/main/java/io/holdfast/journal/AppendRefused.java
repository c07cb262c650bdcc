package io.holdfast.journal;

import io.holdfast.id.PersistenceId;
import io.holdfast.journal.state.Verdict;

/**
 * The final refusal of an append. The actor that asked for it has a wrong state: it must stop, and
 * a new one, recovered from the journal, replaces it.
 */
public final class AppendRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Verdict verdict;

  AppendRefused(PersistenceId persistenceId, Verdict verdict) {
    super("[" + persistenceId + "]: " + verdict, null, false, false); // the message says all
    this.verdict = verdict;
  }

  public Verdict verdict() {
    return verdict;
  }
}
