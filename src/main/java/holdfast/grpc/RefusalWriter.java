package holdfast.grpc;

import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.LockKey;
import holdfast.lock.Refusal;
import holdfast.v1.LockResponse;
import holdfast.v1.Reason;
import io.grpc.StatusRuntimeException;

/** Translates the refusals of locks into answers, and into errors where they are such. */
final class RefusalWriter {

  private RefusalWriter() {}

  /** The answer to a lock request that was not granted: some refusals are answers, some errors. */
  static final class NotAcquired implements Refusal.Cases<LockResponse.Builder> {

    private final LockKey key;
    private final LockResponse.Builder response;

    NotAcquired(LockKey key, LockResponse.Builder response) {
      this.key = key;
      this.response = response;
    }

    @Override
    public LockResponse.Builder held(Refusal.Held held) {
      return response.setReason(Reason.REASON_LOCKED).setHolder(RecordWriter.holder(held.holder()));
    }

    @Override
    public LockResponse.Builder leftLine(Refusal.LeftLine left) {
      response
          .setReason(reason(left.cause()))
          .setQueuePosition(left.position())
          .setRepeated(left.repeated());
      holdfast.lock.Holder holder = left.holder();
      if (holder != null) {
        response.setHolder(RecordWriter.holder(holder));
      }
      return response;
    }

    @Override
    public LockResponse.Builder queueFull(Refusal.QueueFull full) {
      throw new Errors(key).queueFull(full);
    }

    @Override
    public LockResponse.Builder countFull(Refusal.CountFull full) {
      throw new Errors(key).countFull(full);
    }

    @Override
    public LockResponse.Builder requestReused(Refusal.RequestReused reused) {
      throw new Errors(key).requestReused(reused);
    }

    @Override
    public LockResponse.Builder leaseGone(Refusal.LeaseGone gone) {
      throw new Errors(key).leaseGone(gone);
    }

    @Override
    public LockResponse.Builder noToken(Refusal.NoToken noToken) {
      throw new Errors(key).noToken(noToken);
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

  /** The errors that refusals become. */
  static final class Errors implements Refusal.Cases<RuntimeException> {

    private final LockKey key;

    Errors(LockKey key) {
      this.key = key;
    }

    @Override
    public StatusRuntimeException queueFull(Refusal.QueueFull full) {
      return StatusMapping.error(
          holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_QUEUE_FULL)
              .setMessage("the queue of the key is full: [" + full.max() + "] wait")
              .setMaximum(full.max()));
    }

    @Override
    public StatusRuntimeException countFull(Refusal.CountFull full) {
      return StatusMapping.error(
          holdfast.v1.Refusal.newBuilder()
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
          holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_NOT_HOLDER)
              .setMessage("fencing_token [" + not.token() + "] is not held on key [" + key + "]");
      holdfast.lock.Holder holder = not.holder();
      if (holder != null) {
        refusal.setHolder(RecordWriter.holder(holder));
      }
      return StatusMapping.error(refusal);
    }

    @Override
    public IllegalStateException held(Refusal.Held held) {
      return unexpected(held);
    }

    @Override
    public IllegalStateException leftLine(Refusal.LeftLine left) {
      return unexpected(left);
    }

    @Override
    public IllegalStateException notWaiting(Refusal.NotWaiting notWaiting) {
      return unexpected(notWaiting);
    }
  }

  static StatusRuntimeException leaseNotFound(long lease) {
    return StatusMapping.error(
        Reason.REASON_LEASE_NOT_FOUND, "lease_id [" + lease + "] is of no lease that is alive");
  }

  private static Reason reason(LeaveCause cause) {
    return switch (cause) {
      case TIMED_OUT -> Reason.REASON_WAIT_TIMED_OUT;
      case CANCELLED -> Reason.REASON_CANCELLED;
      case LEASE_ENDED -> Reason.REASON_LEASE_ENDED;
    };
  }

  private static IllegalStateException unexpected(Refusal refusal) {
    return new IllegalStateException("not a refusal of this request [" + refusal + "]");
  }
}
