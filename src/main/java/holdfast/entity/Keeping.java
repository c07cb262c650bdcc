package holdfast.entity;

import holdfast.lock.LockEvent;
import holdfast.lock.LockKey;
import holdfast.lock.LockState;

/** What a keeper learns from each event of a lock, once it is committed. */
final class Keeping implements LockEvent.Cases<Boolean> {

  private final Keeper keeper;
  private final LockKey key;
  private final LockState now;

  /**
   * For one event.
   *
   * @param now the lock after it
   */
  Keeping(Keeper keeper, LockKey key, LockState now) {
    this.keeper = keeper;
    this.key = key;
    this.now = now;
  }

  @Override
  public Boolean granted(LockEvent.Granted granted) {
    keeper.holds(key, granted.holder());
    return true;
  }

  @Override
  public Boolean reentered(LockEvent.Reentered reentered) {
    now.holder(reentered.token()).ifPresent(holder -> keeper.holds(key, holder));
    return true;
  }

  @Override
  public Boolean steppedOut(LockEvent.SteppedOut steppedOut) {
    now.holder(steppedOut.token()).ifPresent(holder -> keeper.holds(key, holder));
    return true;
  }

  /** The keeper has measured it, and is told when that is over. */
  @Override
  public Boolean aged(LockEvent.Aged aged) {
    return false;
  }

  @Override
  public Boolean queued(LockEvent.Queued queued) {
    keeper.waits(key, queued.waiter());
    return true;
  }

  @Override
  public Boolean left(LockEvent.Left left) {
    keeper.left(key, left.request());
    return true;
  }

  @Override
  public Boolean barred(LockEvent.Barred barred) {
    return false;
  }

  @Override
  public Boolean freed(LockEvent.Freed freed) {
    keeper.ended(key, freed.token());
    return true;
  }

  @Override
  public Boolean handedOver(LockEvent.HandedOver event) {
    keeper.ended(key, event.token());
    keeper.left(key, event.next().request().id());
    keeper.holds(key, event.next());
    return true;
  }

  @Override
  public Boolean forgotten(LockEvent.Forgotten forgotten) {
    return false;
  }
}
