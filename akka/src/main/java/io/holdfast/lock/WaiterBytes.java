package io.holdfast.lock;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;

/**
 * Estimates the encoded size of a waiter: its texts, and its numbers without leading zeros, each
 * with a tag.
 */
final class WaiterBytes implements RequestId.Cases<Integer> {

  private static final WaiterBytes OF_REQUEST = new WaiterBytes();
  private static final int TAG = 4; // with a length
  private static final int FIXED = 9;

  private WaiterBytes() {}

  static int of(Waiter waiter) {
    HolderId holder = waiter.id();
    Lifetime life = waiter.life();
    LeaseId scope = holder.lease();
    int names =
        text(holder.client().value())
            + (scope == null ? 0 : number(scope.value()))
            + text(holder.value());
    int request = text(waiter.request().id().client().value());
    return TAG
        + (TAG + names)
        + (TAG + request + waiter.request().id().match(OF_REQUEST))
        + FIXED
        + (TAG + number(life.ttl().millis()) + life.lease().map(WaiterBytes::lease).orElse(0))
        + number(waiter.waitTimeout().millis())
        + (TAG + waiter.metadata().size())
        + number(waiter.since());
  }

  private static int text(String text) {
    return text.isEmpty() ? 0 : 3 + Text.utf8Length(text);
  }

  private static int number(long number) {
    return number == 0 ? 0 : 2 + (Long.SIZE - 1 - Long.numberOfLeadingZeros(number)) / 7;
  }

  private static int lease(LeaseLife lease) {
    return 2 + number(lease.id().value()) + number(lease.incarnation().value());
  }

  @Override
  public Integer named(RequestId.Named named) {
    return text(named.value());
  }

  @Override
  public Integer numbered(RequestId.Numbered numbered) {
    return 2 + lease(numbered.session()) + number(numbered.number());
  }

  @Override
  public Integer once(RequestId.Once once) {
    return FIXED + 2; // it may be negative
  }

  @Override
  public Integer cancelling(RequestId.Cancelling cancelling) {
    return cancelling.of().match(this); // no waiter has such an id
  }
}
