package io.holdfast.lock;

/**
 * The header of a request that may be repeated.
 *
 * @param content the {@link ContentHash} of all that it asks for, which is the same for all copies
 */
public record RequestHeader(RequestId id, long content) {

  /** True if the content known for this id is another one. */
  public boolean contradicts(long known) {
    return known != content && known != ContentHash.ANY;
  }
}
