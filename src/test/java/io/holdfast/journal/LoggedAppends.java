package io.holdfast.journal;

import io.holdfast.journal.state.Append;
import java.util.List;

/** The appends in an entry of the journal, for those who watch the log from outside. */
public final class LoggedAppends {

  private LoggedAppends() {}

  public static List<Append> of(byte[] payload) {
    return EntryCodec.decode(payload).appends();
  }
}
