package io.holdfast.watch;

/** The reason for which a watch ended, or never began. */
public enum WatchEnding {
  /** Its client ended it. */
  CANCELLED,
  /** The changes that it needs are no longer kept. */
  COMPACTED,
  /** It was read too slowly. */
  SLOW_CONSUMER,
  /** The node stops. */
  LEAVING,
  /** The stream has no such watch. */
  NOT_FOUND,
  /** The stream has such a watch already. */
  EXISTS,
  /** The stream has as many watches as it may have. */
  TOO_MANY_ON_STREAM,
  /** The node has as many watches as it may have. */
  TOO_MANY_ON_NODE
}
