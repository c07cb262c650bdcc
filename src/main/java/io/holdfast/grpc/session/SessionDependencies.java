package io.holdfast.grpc.session;

import io.holdfast.config.SessionStreamSettings;
import io.holdfast.grpc.call.CallRunner;
import io.holdfast.grpc.call.CommandQuota;
import io.holdfast.grpc.call.LifetimeResolver;
import io.holdfast.grpc.call.ReadCalls;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.sharding.LockShards;
import java.util.function.LongSupplier;

/** The parts of a node that session streams use. */
public record SessionDependencies(
    LockShards locks,
    ReadCalls reads,
    AnswerWriter writer,
    SessionOpener opening,
    LifetimeResolver lifetimes,
    SessionRegistry sessions,
    CallRunner calls,
    CommandQuota commands,
    Quota unread,
    Quota operations,
    SessionStreamSettings settings,
    LongSupplier random,
    LongSupplier nanoClock) {

  boolean isLeaving() {
    return calls.isLeaving();
  }
}
