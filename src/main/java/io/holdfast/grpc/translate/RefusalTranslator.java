package io.holdfast.grpc.translate;

import io.grpc.StatusRuntimeException;
import io.holdfast.id.LeaseId;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Refusal;
import io.holdfast.v1.Holder;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Reason;
import java.util.function.Function;

/** Translates the refusals of locks into answers or errors. */
public final class RefusalTranslator {

  private RefusalTranslator() {}

  /** Translates the refusal of a lock request: some refusals are answers, others are errors. */
  static final class NotAcquired implements Refusal.Cases<LockResponse.Builder> {

    private final LockKey key;
    private final LockResponse.Builder response;
    private final Function<io.holdfast.lock.Holder, Holder> shown;

    NotAcquired(
        LockKey key,
        LockResponse.Builder response,
        Function<io.holdfast.lock.Holder, Holder> shown) {
      this.key = key;
      this.response = response;
      this.shown = shown;
    }

    @Override
    public LockResponse.Builder held(Refusal.Held held) {
      return response.setReason(Reason.REASON_LOCKED).setHolder(shown.apply(held.holder()));
    }

    @Override
    public LockResponse.Builder leftQueue(Refusal.LeftQueue left) {
      response
          .setReason(reason(left.cause()))
          .setQueuePosition(left.position())
          .setRepeated(left.repeated());
      io.holdfast.lock.Holder holder = left.holder();
      if (holder != null) {
        response.setHolder(shown.apply(holder));
      }
      return response;
    }

    @Override
    public LockResponse.Builder queueFull(Refusal.QueueFull full) {
      throw new Errors(key, shown).queueFull(full);
    }

    @Override
    public LockResponse.Builder limitReached(Refusal.LimitReached reached) {
      throw new Errors(key, shown).limitReached(reached);
    }

    @Override
    public LockResponse.Builder countFull(Refusal.CountFull full) {
      throw new Errors(key, shown).countFull(full);
    }

    @Override
    public LockResponse.Builder requestReused(Refusal.RequestReused reused) {
      throw new Errors(key, shown).requestReused(reused);
    }

    @Override
    public LockResponse.Builder requestForgotten(Refusal.RequestForgotten forgotten) {
      throw new Errors(key, shown).requestForgotten(forgotten);
    }

    @Override
    public LockResponse.Builder leaseGone(Refusal.LeaseGone gone) {
      throw new Errors(key, shown).leaseGone(gone);
    }

    @Override
    public LockResponse.Builder noToken(Refusal.NoToken noToken) {
      throw new Errors(key, shown).noToken(noToken);
    }

    @Override
    public LockResponse.Builder notHolder(Refusal.NotHolder notHolder) {
      throw unexpected(notHolder);
    }

    @Override
    public LockResponse.Builder notWaiting(Refusal.NotWaiting notWaiting) {
      throw unexpected(notWaiting);
    }
  }

  /** Translates refusals into errors. */
  static final class Errors implements Refusal.Cases<RuntimeException> {

    private final LockKey key;
    private final Function<io.holdfast.lock.Holder, Holder> shown;

    Errors(LockKey key, Function<io.holdfast.lock.Holder, Holder> shown) {
      this.key = key;
      this.shown = shown;
    }

    @Override
    public StatusRuntimeException queueFull(Refusal.QueueFull full) {
      return StatusMapping.error(
          io.holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_QUEUE_FULL)
              .setMessage("the queue of the key is full: [" + full.max() + "] wait")
              .setMaximum(full.max()));
    }

    @Override
    public StatusRuntimeException limitReached(Refusal.LimitReached reached) {
      return StatusMapping.error(
          switch (reached.limit()) {
            case REQUEST_IDS ->
                limit(
                    Reason.REASON_TOO_MANY_REQUEST_IDS,
                    "[%d] requests of the client are remembered in this shard, the maximum",
                    reached.max());
            case KEYS_ON_LEASE ->
                limit(
                    Reason.REASON_TOO_MANY_KEYS,
                    "the lease has [%d] keys, the maximum",
                    reached.max());
            case WAITING_COMMANDS ->
                limit(
                    Reason.REASON_OVERLOADED,
                    "[%d] commands wait for the lock, the maximum",
                    reached.max());
            case STATE ->
                limit(
                    Reason.REASON_STATE_FULL,
                    "the cluster keeps [%d] MiB of locks, leases and outcomes, the maximum",
                    reached.max());
          });
    }

    @Override
    public StatusRuntimeException countFull(Refusal.CountFull full) {
      return StatusMapping.error(
          io.holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_OUT_OF_BOUND)
              .setField("reenter")
              .setMessage("the holder has entered [" + full.max() + "] times, the maximum")
              .setMaximum(full.max()));
    }

    @Override
    public StatusRuntimeException requestReused(Refusal.RequestReused reused) {
      return StatusMapping.error(
          Reason.REASON_REQUEST_ID_REUSED,
          "request_id ["
              + RecordWriter.name(reused.request())
              + "] came before with other content");
    }

    @Override
    public StatusRuntimeException requestForgotten(Refusal.RequestForgotten forgotten) {
      return StatusMapping.error(
          Reason.REASON_REQUEST_FORGOTTEN,
          "the outcome of request_id ["
              + RecordWriter.name(forgotten.request())
              + "] is forgotten");
    }

    @Override
    public StatusRuntimeException leaseGone(Refusal.LeaseGone gone) {
      return leaseNotFound(gone.lease().id());
    }

    @Override
    public StatusRuntimeException noToken(Refusal.NoToken noToken) {
      return StatusMapping.error(
          Reason.REASON_OWNER_MOVING,
          "the owner of key [" + key + "] has no fencing token to give; nothing was changed");
    }

    @Override
    public StatusRuntimeException notHolder(Refusal.NotHolder not) {
      var refusal =
          io.holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_NOT_HOLDER)
              .setMessage("fencing_token [" + not.token() + "] is not held on key [" + key + "]");
      io.holdfast.lock.Holder holder = not.holder();
      if (holder != null) {
        refusal.setHolder(shown.apply(holder));
      }
      return StatusMapping.error(refusal);
    }

    @Override
    public IllegalStateException held(Refusal.Held held) {
      return unexpected(held);
    }

    @Override
    public IllegalStateException leftQueue(Refusal.LeftQueue left) {
      return unexpected(left);
    }

    @Override
    public IllegalStateException notWaiting(Refusal.NotWaiting notWaiting) {
      return unexpected(notWaiting);
    }
  }

  private static io.holdfast.v1.Refusal.Builder limit(Reason reason, String message, int max) {
    return io.holdfast.v1.Refusal.newBuilder()
        .setReason(reason)
        .setMessage(message.formatted(max))
        .setMaximum(max);
  }

  public static StatusRuntimeException leaseNotFound(LeaseId lease) {
    return StatusMapping.error(
        Reason.REASON_LEASE_NOT_FOUND, "lease_id [" + lease + "] is of no lease that is alive");
  }

  private static Reason reason(LeaveCause cause) {
    return switch (cause) {
      case TIMED_OUT -> Reason.REASON_WAIT_TIMED_OUT;
      case REFUSED -> Reason.REASON_LOCKED;
      case CANCELLED -> Reason.REASON_CANCELLED;
      case LEASE_ENDED -> Reason.REASON_LEASE_ENDED;
    };
  }

  private static IllegalStateException unexpected(Refusal refusal) {
    return new IllegalStateException("not a refusal of this request [" + refusal + "]");
  }
}
