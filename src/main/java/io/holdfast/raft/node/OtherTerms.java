package io.holdfast.raft.node;

/**
 * The end of a member that wants to join a cluster which was founded with other terms than it is
 * told. It has asked for no place there.
 */
public final class OtherTerms extends RuntimeException {

  private static final long serialVersionUID = 1;

  OtherTerms(String message) {
    super(message);
  }
}
