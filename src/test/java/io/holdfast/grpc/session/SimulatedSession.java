package io.holdfast.grpc.session;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.LeaseLife;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.v1.Answer;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ReplyTo;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One stream of a session at its node: the real {@link SessionStreamCore}, in virtual time. */
public final class SimulatedSession implements SessionPort {

  private static final long AGAIN_EVERY_US = 250_000;

  private final SimulatedSessions at;
  private final SimulatedSessions.Client client;
  private final SessionStreamCore core;
  private final ReplyTo<SessionMessage> self;
  private final Deque<SessionRequest> came = new ArrayDeque<>();
  private boolean takes = true;
  private @Nullable LeaseLife serves;
  private boolean hasLeft;

  SimulatedSession(SimulatedSessions at, SimulatedSessions.Client client) {
    this.at = at;
    this.client = client;
    self = at.mailbox(this::onMessage);
    core =
        new SessionStreamCore(
            this,
            at.writer,
            at.shards,
            at.settings,
            new ReplyTo<LockAnswer>(answer -> on(() -> core().onAnswer(answer, at.node.nanos()))));
    on(core::onDemand);
    lookLater();
  }

  private SessionStreamCore core() {
    return core;
  }

  private void lookLater() {
    at.node.later(
        AGAIN_EVERY_US,
        "looks at a stream",
        () -> {
          if (!hasLeft) {
            on(() -> core.onTick(at.node.nanos()));
            lookLater();
          }
        });
  }

  // ------------------------------------------------------------------ what comes

  /** The client's next frame is here. */
  public void came(SessionRequest frame) {
    came.add(frame);
    takeNext();
  }

  private void takeNext() {
    if (takes && !came.isEmpty()) {
      takes = false;
      SessionRequest frame = came.remove();
      on(() -> core.onFrame(frame, at.node.nanos()));
    }
  }

  /** The stream is over, by the client or for want of a connection. */
  public void gone() {
    if (!hasLeft) {
      hasLeft = true;
      LeaseLife session = serves;
      if (session != null) {
        at.sessions.leave(session.id(), self);
      }
      core.onGone();
    }
  }

  private void on(Runnable step) {
    if (hasLeft) {
      return;
    }
    step.run();
    if (core.hasEnded()) {
      gone();
    }
  }

  private void onMessage(SessionMessage message) {
    on(() -> read(message));
  }

  private void read(SessionMessage message) {
    if (message instanceof SessionMessage.OperationDone done) {
      core.onDone(done.answer());
    } else if (message instanceof SessionMessage.KeepAliveResult kept) {
      core.onKeptAlive(kept.number(), kept.answer());
    } else if (message instanceof SessionMessage.OpenResult opened) {
      SessionOpener.OpenedSession begun = opened.opened();
      if (begun == null) {
        core.onNotOpened(SimulatedSessions.status(opened.failure()));
      } else {
        core.onOpened(begun, at.node.nanos());
      }
    } else if (message instanceof SessionMessage.RevokeResult revoked) {
      core.onRevoked(revoked.outcome());
    } else if (message instanceof SessionRegistry.StreamReplaced) {
      core.onReplaced();
    } else if (message instanceof SessionRegistry.SessionEnded ended) {
      core.onEnded(ended.incarnation(), ended.isRevoked());
    } else if (message instanceof SessionRegistry.ShardsMoved moved) {
      core.onMoved(moved.shards(), at.node.nanos());
    } else {
      throw new AssertionError(message);
    }
  }

  // ------------------------------------------------------------------ what is to be done

  @Override
  public void requireServing() {
    at.requireServing();
  }

  @Override
  public boolean isLeaving() {
    return at.node.isLeaving();
  }

  @Override
  public void open(SessionOpen request) {
    var unused =
        at.opening
            .open(request, ClientConnection.unknown())
            .whenComplete(
                (opened, failure) -> self.tell(new SessionMessage.OpenResult(opened, failure)));
  }

  @Override
  public void join(LeaseLife session) {
    serves = session;
    at.sessions.join(session.id(), self);
  }

  @Override
  public void tell(LockKey key, List<LockMessage.Handle> messages) {
    at.node.tell(key, List.copyOf(messages));
  }

  @Override
  public void tell(LockKey key, LockMessage.Handle message) {
    at.node.tell(key, List.of(message));
  }

  @Override
  public void find(LockKey key, long number, LockRequest request) {
    throw new UnsupportedOperationException("the client asks for no shared lease by its id");
  }

  @Override
  public void renew(LockKey key, long number, RenewRequest request, Renewal renewal) {
    done(
        number,
        at.renew(renewal)
            .thenApply(
                answer -> Answer.newBuilder().setRenew(at.writer.renewed(key, request, answer))));
  }

  private void done(long number, CompletionStage<Answer.Builder> answering) {
    var unused =
        answering.whenComplete(
            (answer, failure) ->
                self.tell(
                    new SessionMessage.OperationDone(
                        answer == null
                            ? SessionOperations.refused(number, SimulatedSessions.status(failure))
                            : answer.setNumber(number))));
  }

  @Override
  public void get(long number, GetLockRequest request) {
    done(
        number,
        at.reads
            .get(request)
            .thenApply(
                read ->
                    Answer.newBuilder()
                        .setRevision(read.getHeader().getRevision())
                        .setGetLock(read.toBuilder().clearHeader())));
  }

  @Override
  public void validate(long number, ValidateRequest request) {
    throw new UnsupportedOperationException("the client validates no token");
  }

  @Override
  public void keepAlive(long number, LeaseLife session) {
    var unused =
        at.renew(new Renewal.OfLease(session.id(), session.incarnation()))
            .whenComplete(
                (answer, failure) -> self.tell(new SessionMessage.KeepAliveResult(number, answer)));
  }

  @Override
  public void revoke(LeaseLife session) {
    RequestId id = new RequestId.Once(ClientId.NAMELESS, at.node.random());
    LeaseCommand revoke =
        new LeaseCommand.Revoke(new RequestHeader(id, ContentHash.ANY), session.incarnation());
    var unused =
        at.handle(session.id(), revoke)
            .whenComplete(
                (answer, failure) ->
                    self.tell(
                        new SessionMessage.RevokeResult(answer == null ? null : answer.outcome())));
  }

  @Override
  public void flushSoon() {
    at.node.later(at.node.delayUs(), "flushes a stream", () -> on(core::onFlush));
  }

  @Override
  public void give(SessionResponse frame) {
    client.frame(frame);
    at.node.later(at.node.delayUs(), "wants a frame", () -> on(core::onDemand));
  }

  @Override
  public void begun() {}

  @Override
  public void take() {
    at.node.later(
        at.node.delayUs(),
        "takes a frame",
        () -> {
          takes = true;
          takeNext();
        });
  }

  @Override
  public void end(@Nullable StatusRuntimeException error) {
    client.ended(error == null ? null : StatusMapping.refusal(error));
  }

  @Override
  public Quota.@Nullable Full fullOfOpen(int more) {
    return null;
  }

  @Override
  public boolean hasRoomForAnswers() {
    return true;
  }

  @Override
  public void countUnread(int more) {}

  @Override
  public boolean hasRoomToWait() {
    return true;
  }

  @Override
  public void countWaiting(int more) {}

  @Override
  public boolean hasRoom(int more, boolean goesFirst) {
    return true;
  }

  @Override
  public void count(int more, int underWay) {}
}
