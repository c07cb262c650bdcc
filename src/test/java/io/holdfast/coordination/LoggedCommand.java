package io.holdfast.coordination;

import io.holdfast.coordination.member.CoordinationCodec;
import io.holdfast.coordination.state.CoordinationCommand;

/** Reads the command in an entry of coordination, for tests that follow the log from outside. */
public final class LoggedCommand {

  private LoggedCommand() {}

  public static CoordinationCommand of(byte[] payload) {
    return CoordinationCodec.decode(payload).command();
  }
}
