package io.holdfast.grpc.session;

import io.holdfast.config.SessionStreamSettings;
import io.holdfast.grpc.call.Calls;
import io.holdfast.grpc.call.Commands;
import io.holdfast.grpc.call.Lives;
import io.holdfast.grpc.call.ReadCalls;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.sharding.LockShards;
import java.util.function.LongSupplier;

/** What the streams of sessions need of their node. */
public record SessionPlace(
    LockShards locks,
    ReadCalls reads,
    AnswerWriter writer,
    SessionOpening opening,
    Lives lives,
    Sessions sessions,
    Calls calls,
    Commands commands,
    Quota unread,
    Quota operations,
    SessionStreamSettings settings,
    LongSupplier random,
    LongSupplier nanoClock) {

  boolean isLeaving() {
    return calls.isLeaving();
  }
}
