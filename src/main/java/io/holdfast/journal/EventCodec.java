package io.holdfast.journal;

import akka.actor.ActorRef;
import akka.persistence.PersistentRepr;
import akka.serialization.Serialization;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import io.holdfast.internal.journal.StoredEvent;
import io.holdfast.internal.journal.StoredState;

/** Translates events and states of actors to and from the bytes that the journal keeps. */
final class EventCodec {

  private final Serialization serialization;

  EventCodec(Serialization serialization) {
    this.serialization = serialization;
  }

  /** The bytes of an event. Passes on the exceptions of its serializer. */
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

  PersistentRepr decode(PersistenceId persistenceId, long sequenceNr, Bytes bytes) {
    try {
      StoredEvent stored = StoredEvent.parseFrom(bytes.array());
      Object event =
          serialization
              .deserialize(bytes(stored.getEvent()), stored.getSerializer(), stored.getManifest())
              .get();
      return PersistentRepr.apply(
              event,
              sequenceNr,
              persistenceId.value(),
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

  /** The bytes of a state. Passes on the exceptions of its serializer. */
  Bytes encodeState(Object state) {
    Serializer serializer = serialization.findSerializerFor(state);
    StoredState stored =
        StoredState.newBuilder()
            .setSerializer(serializer.identifier())
            .setManifest(Serializers.manifestFor(serializer, state))
            .setState(UnsafeByteOperations.unsafeWrap(serialization.serialize(state).get()))
            .build();
    return Bytes.of(stored.toByteArray());
  }

  Object decodeState(PersistenceId persistenceId, long sequenceNr, Bytes bytes) {
    try {
      StoredState stored = StoredState.parseFrom(bytes.array());
      return serialization
          .deserialize(bytes(stored.getState()), stored.getSerializer(), stored.getManifest())
          .get();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(
          "the state of [%s] at [%d] cannot be read".formatted(persistenceId, sequenceNr), e);
    }
  }

  private static byte[] bytes(ByteString bytes) {
    return bytes.toByteArray();
  }
}
