package io.holdfast.samples.billing;

import io.holdfast.lock.FencingToken;

/** The store behind the lock. It refuses whoever comes with a smaller token than it has seen. */
public final class Ledger {

  private FencingToken greatest = new FencingToken(1);
  private int bills;

  /** Notes a bill; false if somebody with a later grant has been here. */
  public synchronized boolean bill(FencingToken token) {
    if (token.value() < greatest.value()) {
      return false;
    }
    greatest = token;
    bills++;
    return true;
  }

  public synchronized int bills() {
    return bills;
  }
}
