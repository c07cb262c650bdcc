package io.holdfast.grpc;

import io.holdfast.config.SessionStreamSettings;
import io.holdfast.entity.LockShards;
import io.holdfast.grpc.guard.Quota;
import java.util.function.LongSupplier;

/** What the streams of sessions need of their node. */
record SessionPlace(
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
