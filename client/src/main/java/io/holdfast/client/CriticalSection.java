package io.holdfast.client;

/** A piece of work that is done while a lock is held. */
@FunctionalInterface
public interface CriticalSection<T, E extends Exception> {

  /**
   * Runs on the caller's thread, which is interrupted if the grant is lost.
   *
   * @param grant the grant that it runs under: pass its fencing token to the store with each write
   */
  T run(Grant grant) throws E;
}
