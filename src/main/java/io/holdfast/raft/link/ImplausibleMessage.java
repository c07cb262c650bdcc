package io.holdfast.raft.link;

/** A message that no honest member can have sent, though it keeps to the format. */
public final class ImplausibleMessage extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  public ImplausibleMessage(String message) {
    super(message);
  }
}
