package io.holdfast.lock;

/**
 * A request that may come again.
 *
 * @param content what it asks for, in short: under one id it must always be the same
 */
public record Request(RequestId id, long content) {

  /** Whether what is known under this id is another request. */
  boolean contradicts(long known) {
    return known != content && known != Content.ANY;
  }
}
