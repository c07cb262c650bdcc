package io.holdfast.grpc.translate;

import com.google.protobuf.ByteString;
import io.holdfast.hosting.LeaseDetails;
import io.holdfast.hosting.LockDetails;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Waiter;
import io.holdfast.v1.Holder;
import io.holdfast.v1.LeaseRecord;
import io.holdfast.v1.LockMode;
import io.holdfast.v1.LockRecord;
import io.holdfast.v1.WaiterRecord;
import io.holdfast.wire.Renewal;
import java.util.Map;

/** Translates locks, leases, holders and waiters into the records of the contract. */
public final class RecordWriter {

  private RecordWriter() {}

  public static LockRecord record(LockDetails lock) {
    return record(lock, Map.of());
  }

  /** Translates a lock, with the remaining ttls that are known. */
  public static LockRecord record(LockDetails lock, Map<Renewal, Long> left) {
    LockRecord.Builder record =
        LockRecord.newBuilder()
            .setKey(lock.key().value())
            .setCreateRevision(lock.created().value())
            .setModRevision(lock.revision().value())
            .setVersion(lock.version());
    for (io.holdfast.lock.Holder holder : lock.holders()) {
      Holder.Builder shown = record.addHoldersBuilder().mergeFrom(holder(holder));
      Long millis = left.get(RemainingTtls.of(lock.key(), holder));
      if (millis != null) {
        shown.setRemainingTtlMs(millis);
      }
    }
    return record.build();
  }

  public static LeaseRecord lease(LeaseDetails lease) {
    return LeaseRecord.newBuilder()
        .setLeaseId(lease.id().value())
        .setIncarnation(lease.incarnation().value())
        .setGrantedTtlMs(lease.terms().ttl().millis())
        .setClientId(lease.terms().client().value())
        .setSession(lease.terms().session())
        .addAllKeys(lease.keys().stream().map(LockKey::value).toList())
        .setKeyCount(lease.keyCount())
        .build();
  }

  public static Holder holder(io.holdfast.lock.Holder holder) {
    RequestId request = holder.request().id();
    return Holder.newBuilder()
        .setHolderId(holder.id().value())
        .setClientId(request.client().value())
        .setLeaseId(holder.life().lease().map(lease -> lease.id().value()).orElse(0L))
        .setFencingToken(holder.token().value())
        .setMode(LockMode.LOCK_MODE_EXCLUSIVE)
        .setCount(holder.count())
        .setMetadata(ByteString.copyFrom(holder.metadata().bytes()))
        .setGrantedTtlMs(holder.life().ttl().millis())
        .setSessionId(session(request))
        .build();
  }

  public static WaiterRecord waiter(Waiter waiter, int position) {
    RequestId request = waiter.request().id();
    return WaiterRecord.newBuilder()
        .setRequestId(name(request))
        .setClientId(request.client().value())
        .setLeaseId(waiter.life().lease().map(lease -> lease.id().value()).orElse(0L))
        .setCreateRevision(waiter.since())
        .setHolderId(waiter.id().value())
        .setMode(LockMode.LOCK_MODE_EXCLUSIVE)
        .setPosition(position)
        .setSessionId(session(request))
        .setNumber(request instanceof RequestId.Numbered numbered ? numbered.number() : 0)
        .build();
  }

  static String name(RequestId request) {
    return request instanceof RequestId.Named named ? named.value() : "";
  }

  private static long session(RequestId request) {
    return request.match(
        new RequestId.Cases<>() {
          @Override
          public Long named(RequestId.Named named) {
            return 0L;
          }

          @Override
          public Long numbered(RequestId.Numbered numbered) {
            return numbered.session().id().value();
          }

          @Override
          public Long once(RequestId.Once once) {
            return 0L;
          }

          @Override
          public Long cancelling(RequestId.Cancelling cancelling) {
            return 0L;
          }
        });
  }
}
