package io.holdfast.wire;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import io.holdfast.internal.cluster.LeaseAnswered;
import io.holdfast.internal.cluster.LeaseHandle;
import io.holdfast.internal.cluster.LockAnswered;
import io.holdfast.internal.cluster.LockHandle;
import io.holdfast.internal.cluster.LockHandles;
import io.holdfast.internal.cluster.Renewals;
import io.holdfast.internal.cluster.Renewed;
import java.io.IOException;
import java.io.NotSerializableException;

/** Serializes the messages between nodes about locks and leases; {@code internal/cluster.proto}. */
public final class LockMessageSerializer extends SerializerWithStringManifest {

  private static final String HANDLE = "lock.handle.1";
  private static final String COMMAND_BATCH = "lock.together.1";
  private static final String ANSWER = "lock.answer.1";
  private static final String LEASE_HANDLE = "lease.handle.1";
  private static final String LEASE_ANSWER = "lease.answer.1";
  private static final String RENEWALS = "keeper.renewals.1";
  private static final String RENEWED = "keeper.renewed.1";
  private static final String WAKE = "shard.wake.1";
  private static final byte[] NOTHING = {};

  private final ExtendedActorSystem system;

  public LockMessageSerializer(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public int identifier() {
    return 74001;
  }

  @Override
  public String manifest(Object message) {
    if (message instanceof LockMessage.Handle) {
      return HANDLE;
    } else if (message instanceof LockMessage.CommandBatch) {
      return COMMAND_BATCH;
    } else if (message instanceof LockAnswer) {
      return ANSWER;
    } else if (message instanceof LeaseMessage.Handle) {
      return LEASE_HANDLE;
    } else if (message instanceof LeaseAnswer) {
      return LEASE_ANSWER;
    } else if (message instanceof RenewalMessage.Renewals) {
      return RENEWALS;
    } else if (message instanceof RenewalMessage.Renewed) {
      return RENEWED;
    } else if (message == ShardMessage.Lifecycle.WAKE) {
      return WAKE;
    }
    throw new IllegalArgumentException("not a message between nodes: [" + message + "]");
  }

  @Override
  public byte[] toBinary(Object message) {
    if (message instanceof LockMessage.Handle handle) {
      return handle(handle).toByteArray();
    } else if (message instanceof LockMessage.CommandBatch batch) {
      return batch(batch).toByteArray();
    } else if (message instanceof LockAnswer answer) {
      return LockAnswerProto.answer(answer).toByteArray();
    } else if (message instanceof LeaseMessage.Handle handle) {
      return LeaseMessageProto.handle(handle, text(handle.replyTo())).toByteArray();
    } else if (message instanceof LeaseAnswer answer) {
      return LeaseMessageProto.answer(answer).toByteArray();
    } else if (message instanceof RenewalMessage.Renewals renewals) {
      return LeaseMessageProto.renewals(renewals, text(renewals.replyTo())).toByteArray();
    } else if (message instanceof RenewalMessage.Renewed renewed) {
      return LeaseMessageProto.renewed(renewed).toByteArray();
    } else if (message == ShardMessage.Lifecycle.WAKE) {
      return NOTHING;
    }
    throw new IllegalArgumentException("not a message between nodes: [" + message + "]");
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try {
      return switch (manifest) {
        case HANDLE -> handle(LockHandle.parseFrom(bytes));
        case COMMAND_BATCH ->
            new LockMessage.CommandBatch(
                LockHandles.parseFrom(bytes).getHandlesList().stream().map(this::handle).toList());
        case ANSWER -> LockAnswerProto.answer(LockAnswered.parseFrom(bytes));
        case LEASE_HANDLE -> {
          LeaseHandle handle = LeaseHandle.parseFrom(bytes);
          yield new LeaseMessage.Handle(
              LeaseMessageProto.command(handle),
              handle.getNumber(),
              resolver().resolveActorRef(handle.getReplyTo()));
        }
        case LEASE_ANSWER -> LeaseMessageProto.answer(LeaseAnswered.parseFrom(bytes));
        case RENEWALS -> {
          Renewals renewals = Renewals.parseFrom(bytes);
          yield new RenewalMessage.Renewals(
              renewals.getRenewalsList().stream().map(LeaseMessageProto::item).toList(),
              resolver().resolveActorRef(renewals.getReplyTo()));
        }
        case RENEWED -> LeaseMessageProto.renewed(Renewed.parseFrom(bytes));
        case WAKE -> ShardMessage.Lifecycle.WAKE;
        default -> throw new NotSerializableException("unknown manifest [" + manifest + "]");
      };
    } catch (NotSerializableException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable(manifest, e);
    }
  }

  private LockHandle handle(LockMessage.Handle handle) {
    return LockCommandProto.handle(handle, text(handle.replyTo()));
  }

  private LockMessage handle(LockHandle handle) {
    return new LockMessage.Handle(
        LockCommandProto.command(handle),
        handle.getNumber(),
        handle.getLowestOpen(),
        handle.getTellsPlace(),
        resolver().resolveActorRef(handle.getReplyTo()));
  }

  private LockHandles batch(LockMessage.CommandBatch batch) {
    LockHandles.Builder handles = LockHandles.newBuilder();
    for (LockMessage command : batch.commands()) {
      if (!(command instanceof LockMessage.Handle handle)) {
        throw new IllegalArgumentException("not a message between nodes: [" + command + "]");
      }
      handles.addHandles(handle(handle));
    }
    return handles.build();
  }

  private String text(ActorRef<?> ref) {
    return resolver().toSerializationFormat(ref);
  }

  /** Looked up at use: the serializer is made before the typed system is complete. */
  private ActorRefResolver resolver() {
    return ActorRefResolver.get(Adapter.toTyped(system));
  }

  private static NotSerializableException unreadable(String manifest, Exception cause) {
    NotSerializableException e =
        new NotSerializableException("[" + manifest + "] cannot be read: " + cause.getMessage());
    e.initCause(cause);
    return e;
  }
}
