package io.holdfast.journal.state;

import org.jspecify.annotations.Nullable;

/** A mutable sorted map whose bytes count in a {@link SizeAccount}. */
final class AccountedMap {

  private final SizeAccount account;
  private SortedBytes now;

  AccountedMap(SortedBytes now, SizeAccount account) {
    this.now = now;
    this.account = account;
    account.bytes(now.bytes());
  }

  /** The current content, which never changes. */
  SortedBytes now() {
    return now;
  }

  byte @Nullable [] get(byte[] key) {
    return now.get(key);
  }

  byte @Nullable [][] pieces(byte[] key) {
    return now.pieces(key);
  }

  void put(byte[] key, byte[]... value) {
    become(now.put(key, value));
  }

  void remove(byte[] key) {
    become(now.remove(key));
  }

  private void become(SortedBytes changed) {
    account.bytes(changed.bytes() - now.bytes());
    now = changed;
  }
}
