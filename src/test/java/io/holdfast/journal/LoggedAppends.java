package io.holdfast.journal;

import io.holdfast.journal.state.JournalCommand;

/** What stands in an entry of the journal, for who watches the log from outside. */
public final class LoggedAppends {

  private LoggedAppends() {}

  public static JournalCommand of(byte[] payload) {
    return EntryCodec.decode(payload).command();
  }
}
