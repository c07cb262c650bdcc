package io.holdfast.wire;

import io.holdfast.internal.cluster.LockHandle;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.WaitTimeout;
import org.jspecify.annotations.Nullable;

/** Translates commands to locks to and from {@code cluster.proto}. */
final class LockCommandProto {

  private LockCommandProto() {}

  static LockHandle handle(LockMessage.Handle message, String replyTo) {
    LockHandle.Builder handle =
        LockHandle.newBuilder()
            .setReplyTo(replyTo)
            .setNumber(message.number())
            .setLowestOpen(message.lowestOpen())
            .setTellsPlace(message.tellsPlace());
    return message
        .command()
        .match(
            new LockCommand.Cases<LockHandle.Builder>() {
              @Override
              public LockHandle.Builder acquire(LockCommand.Acquire acquire) {
                return handle.setAcquire(
                    LockHandle.Acquire.newBuilder()
                        .setHolder(ProtoValues.holderId(acquire.holder()))
                        .setRequest(ProtoValues.request(acquire.request().id()))
                        .setContent(acquire.request().content())
                        .setLife(ProtoValues.life(acquire.life()))
                        .setPatienceMs(acquire.waitTimeout().millis())
                        .setReenter(acquire.reenter())
                        .setMetadata(ProtoValues.metadata(acquire.metadata()))
                        .setRepeated(acquire.repeated()));
              }

              @Override
              public LockHandle.Builder release(LockCommand.Release release) {
                return handle.setRelease(
                    LockHandle.Release.newBuilder()
                        .setRequest(ProtoValues.request(release.request().id()))
                        .setContent(release.request().content())
                        .setToken(release.token().value())
                        .setAll(release.all()));
              }

              @Override
              public LockHandle.Builder cancel(LockCommand.Cancel cancel) {
                return handle.setCancel(ProtoValues.request(cancel.request()));
              }

              @Override
              public LockHandle.Builder force(LockCommand.Force force) {
                return handle.setForce(
                    LockHandle.Force.newBuilder()
                        .setRequest(ProtoValues.request(force.request().id()))
                        .setContent(force.request().content())
                        .setToken(value(force.token()))
                        .setReason(force.reason()));
              }

              @Override
              public LockHandle.Builder expire(LockCommand.Expire expire) {
                throw ownCommand(expire);
              }

              @Override
              public LockHandle.Builder age(LockCommand.Age age) {
                throw ownCommand(age);
              }

              @Override
              public LockHandle.Builder leave(LockCommand.Leave leave) {
                if (leave.cause() != LeaveCause.CANCELLED) {
                  throw ownCommand(leave);
                }
                return handle.setLeave(ProtoValues.request(leave.request()));
              }

              @Override
              public LockHandle.Builder removeOrphans(LockCommand.RemoveOrphans remove) {
                throw ownCommand(remove);
              }
            })
        .build();
  }

  private static IllegalArgumentException ownCommand(LockCommand command) {
    return new IllegalArgumentException(
        "a command of the node itself never leaves it [" + command + "]");
  }

  static LockCommand command(LockHandle handle) {
    return switch (handle.getCommandCase()) {
      case ACQUIRE -> {
        LockHandle.Acquire acquire = handle.getAcquire();
        yield new LockCommand.Acquire(
            new RequestHeader(ProtoValues.request(acquire.getRequest()), acquire.getContent()),
            ProtoValues.holderId(acquire.getHolder()),
            ProtoValues.life(acquire.getLife()),
            new WaitTimeout(acquire.getPatienceMs()),
            acquire.getReenter(),
            ProtoValues.metadata(acquire.getMetadata()),
            acquire.getRepeated());
      }
      case RELEASE -> {
        LockHandle.Release release = handle.getRelease();
        yield new LockCommand.Release(
            new RequestHeader(ProtoValues.request(release.getRequest()), release.getContent()),
            new FencingToken(release.getToken()),
            release.getAll());
      }
      case CANCEL -> new LockCommand.Cancel(ProtoValues.request(handle.getCancel()));
      case LEAVE ->
          new LockCommand.Leave(ProtoValues.request(handle.getLeave()), LeaveCause.CANCELLED);
      case FORCE -> {
        LockHandle.Force force = handle.getForce();
        yield new LockCommand.Force(
            new RequestHeader(ProtoValues.request(force.getRequest()), force.getContent()),
            token(force.getToken()),
            force.getReason());
      }
      case COMMAND_NOT_SET -> throw new IllegalArgumentException("unknown command");
    };
  }

  private static @Nullable FencingToken token(long value) {
    return value == 0 ? null : new FencingToken(value);
  }

  private static long value(@Nullable FencingToken token) {
    return token == null ? 0 : token.value();
  }
}
