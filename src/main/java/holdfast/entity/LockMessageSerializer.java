package holdfast.entity;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.MessageLite;
import holdfast.internal.cluster.LockHandle;
import holdfast.internal.cluster.LockOutcome;
import holdfast.internal.cluster.LockRead;
import holdfast.internal.cluster.LockSnapshot;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import java.io.IOException;
import java.io.NotSerializableException;

/** Writes and reads what nodes say to each other about locks; {@code internal/cluster.proto}. */
public final class LockMessageSerializer extends SerializerWithStringManifest {

  private static final String HANDLE = "lock.handle.1";
  private static final String READ = "lock.read.1";
  private static final String OUTCOME = "lock.outcome.1";
  private static final String STATE = "lock.state.1";

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
    } else if (message instanceof LockMessage.Read) {
      return READ;
    } else if (message instanceof Outcome) {
      return OUTCOME;
    } else if (message instanceof LockState) {
      return STATE;
    }
    throw new IllegalArgumentException("not a message between nodes: [" + message + "]");
  }

  @Override
  public byte[] toBinary(Object message) {
    return toProto(message).toByteArray();
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try {
      return switch (manifest) {
        case HANDLE -> {
          LockHandle handle = LockHandle.parseFrom(bytes);
          yield new LockMessage.Handle(
              ClusterProto.command(handle), resolver().resolveActorRef(handle.getReplyTo()));
        }
        case READ ->
            new LockMessage.Read(
                resolver().resolveActorRef(LockRead.parseFrom(bytes).getReplyTo()));
        case OUTCOME -> ClusterProto.outcome(LockOutcome.parseFrom(bytes));
        case STATE -> ClusterProto.state(LockSnapshot.parseFrom(bytes));
        default -> throw new NotSerializableException("unknown manifest [" + manifest + "]");
      };
    } catch (NotSerializableException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable(manifest, e);
    }
  }

  private MessageLite toProto(Object message) {
    if (message instanceof LockMessage.Handle handle) {
      return ClusterProto.handle(
          handle.command(), resolver().toSerializationFormat(handle.replyTo()));
    } else if (message instanceof LockMessage.Read read) {
      return LockRead.newBuilder()
          .setReplyTo(resolver().toSerializationFormat(read.replyTo()))
          .build();
    } else if (message instanceof Outcome outcome) {
      return ClusterProto.outcome(outcome);
    } else if (message instanceof LockState state) {
      return ClusterProto.state(state);
    }
    throw new IllegalArgumentException("not a message between nodes: [" + message + "]");
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
