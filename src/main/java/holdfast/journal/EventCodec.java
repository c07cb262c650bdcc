package holdfast.journal;

import akka.actor.ActorRef;
import akka.persistence.PersistentRepr;
import akka.serialization.Serialization;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import holdfast.internal.journal.StoredEvent;
import holdfast.journal.state.Bytes;

/** Translates between Akka's envelope of an event and the bytes that the journal keeps. */
final class EventCodec {

  private final Serialization serialization;

  EventCodec(Serialization serialization) {
    this.serialization = serialization;
  }

  /** The bytes of an event; throws what its serializer throws. */
  Bytes encode(PersistentRepr envelope, Object event) {
    Serializer serializer = serialization.findSerializerFor(event);
    StoredEvent stored =
        StoredEvent.newBuilder()
            .setSerializer(serializer.identifier())
            .setManifest(Serializers.manifestFor(serializer, event))
            .setEvent(UnsafeByteOperations.unsafeWrap(serialization.serialize(event).get()))
            .setWriter(envelope.writerUuid())
            .setTimestamp(envelope.timestamp())
            .setAdapterManifest(envelope.manifest())
            .build();
    return Bytes.of(stored.toByteArray());
  }

  PersistentRepr decode(String persistenceId, long sequenceNr, Bytes bytes) {
    try {
      StoredEvent stored = StoredEvent.parseFrom(bytes.array());
      Object event =
          serialization
              .deserialize(bytes(stored.getEvent()), stored.getSerializer(), stored.getManifest())
              .get();
      return PersistentRepr.apply(
              event,
              sequenceNr,
              persistenceId,
              stored.getAdapterManifest(),
              /* deleted= */ false,
              ActorRef.noSender(),
              stored.getWriter())
          .withTimestamp(stored.getTimestamp());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(
          "event [%d] of [%s] cannot be read".formatted(sequenceNr, persistenceId), e);
    }
  }

  private static byte[] bytes(ByteString bytes) {
    return bytes.toByteArray();
  }
}
