package io.holdfast.lock.rules;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import java.util.List;
import java.util.Optional;

/** Values of small locks. */
final class LockFixture {

  static final LeaseLife LEASE = LeaseLife.of(new LeaseId(7), new Revision(20));
  static final Lifetime OWN = new Lifetime.Own(new Ttl(1_000));
  static final Lifetime SHARED = new Lifetime.Shared(LEASE, new Ttl(1_000));

  private LockFixture() {}

  static LockState held(String name, Lifetime life, int count) {
    return new LockState(List.of(holder(name, life, count)), List.of());
  }

  static Holder holder(String name, Lifetime life, int count) {
    return new Holder(
        HolderId.of(ClientId.NAMELESS, name),
        request("r-" + name),
        new FencingToken(1),
        life,
        count,
        Metadata.NONE);
  }

  static Waiter waiter(String name) {
    return new Waiter(
        HolderId.of(ClientId.NAMELESS, name),
        request("r-" + name),
        SHARED,
        new WaitTimeout(1_000),
        Metadata.NONE,
        /* since= */ 1);
  }

  static LockCommand acquire(String name, String request, Lifetime life, boolean reenter) {
    return new LockCommand.Acquire(
        request(request),
        HolderId.of(ClientId.NAMELESS, name),
        life,
        WaitTimeout.NONE,
        reenter,
        Metadata.NONE);
  }

  static RequestHeader request(String name) {
    return new RequestHeader(new RequestId.Named(ClientId.NAMELESS, name), /* content= */ 1);
  }

  static Optional<FencingToken> two() {
    return Optional.of(new FencingToken(2));
  }
}
