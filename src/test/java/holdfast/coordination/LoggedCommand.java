package holdfast.coordination;

import holdfast.coordination.state.CoordinationCommand;

/** What stands in an entry of coordination, for who watches the log from outside. */
public final class LoggedCommand {

  private LoggedCommand() {}

  public static CoordinationCommand of(byte[] payload) {
    return EntryCodec.decode(payload).command();
  }
}
