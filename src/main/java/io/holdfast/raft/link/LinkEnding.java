package io.holdfast.raft.link;

/** The reason for the end of a connection. */
enum LinkEnding {
  /** The kernel of the dialed address refused: nobody listens there. */
  PORT_REFUSED,
  /** The other end closed it, or the network broke it. */
  CUT,
  /** The other end does not keep to the format, or its certificate is not trusted. */
  UNTRUSTED,
  /** Nothing was heard for too long. */
  SILENT,
  /** This end does not need it any more. */
  CLOSED
}
