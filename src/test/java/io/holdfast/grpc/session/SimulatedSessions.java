package io.holdfast.grpc.session;

import io.grpc.StatusRuntimeException;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.coordination.Owners;
import io.holdfast.grpc.call.Calls;
import io.holdfast.grpc.call.LeaseShare;
import io.holdfast.grpc.call.Lives;
import io.holdfast.grpc.call.ReadCalls;
import io.holdfast.grpc.call.Shares;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.Remaining;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.sharding.LeaseGateway;
import io.holdfast.sharding.LockQueries;
import io.holdfast.sharding.ShardMap;
import io.holdfast.sharding.SimulatedShards;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.ListLocksResponse;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionResponse;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ReplyTo;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The streams of clients' sessions at one process of a node, in virtual time and without Akka: the
 * real rules, on a simulated node.
 */
public final class SimulatedSessions {

  /** What they need of their process. */
  public interface Node {

    /** Does something later, if the process lives then. */
    void later(long delayUs, Object what, Runnable action);

    /** Its monotonic clock. */
    long nanos();

    /** How long the next hand-over between two threads takes. */
    long delayUs();

    long random();

    /** Whether its own session is surely valid. */
    boolean mayAct();

    long member();

    /** Whether it stops soon, as it tells its clients. */
    boolean isLeaving();

    /** How many public changes it has applied. */
    long revision();

    /** Whether it has come to know all that was applied anywhere. */
    CompletionStage<Boolean> caughtUp();

    /** What it has applied. */
    JournalStore store();

    int shards();

    int shardOf(String name);

    /** Which node owns which shard, as far as this one has heard. */
    Owners owners();

    /** Sends these to a lock, to be decided together. */
    void tell(LockKey key, List<LockMessage.Handle> messages);

    /** Has a lease do something. */
    void handle(long lease, LeaseCommand command, Consumer<LeaseAnswer> answered);

    /** Gives a sign of life. */
    void renew(Renewal renewal, Consumer<Renewal.Answer> answered);
  }

  /** The client's side of a stream. */
  public interface Client {

    void frame(SessionResponse frame);

    /** The node has ended the stream, in good order or with this refusal. */
    void ended(@Nullable Refusal refusal);
  }

  private static final int MAX_OPEN = 1_000;
  private static final long ANSWER_WITHIN_US = 5_000_000;

  final Node node;
  final ShardMap shards;
  final AnswerWriter writer;
  final SessionOpening opening;
  final Lives lives;
  final Sessions sessions;
  final ReadCalls reads;
  final SessionStreamSettings settings =
      new SessionStreamSettings(MAX_OPEN, MAX_OPEN, MAX_OPEN, MAX_OPEN);

  public SimulatedSessions(Node node, LeaseEndFeed leaseEnds) {
    this.node = node;
    shards = new OfNode();
    AnswerFacts facts = new Facts();
    writer = new AnswerWriter(facts, shards);
    LockQueries found = new LockQueries(node.store(), node::caughtUp, shards, Runnable::run);
    Remaining remaining =
        new Remaining(of -> CompletableFuture.completedFuture(OptionalLong.empty()));
    reads = new ReadCalls(found, writer, remaining);
    lives =
        new Lives(
            (lease, linearizable) ->
                found.lease(lease, linearizable).thenApply(LockQueries.Read::value));
    opening =
        new SessionOpening(
            new Leases(), share(found), shards, lives, facts, settings, node::random);
    sessions = new Sessions(MAX_OPEN, action -> node.later(node.delayUs(), "tells moves", action));
    leaseEnds.listen(sessions);
  }

  /** There is always room. */
  private static LeaseShare share(LockQueries found) {
    return new LeaseShare(
        new Quota(Quota.Kind.LEASES, 1_000_000, 1_000_000),
        Shares.applied(found),
        Runnable::run,
        Runnable::run);
  }

  /** A client begins a stream. */
  public SimulatedSession connect(Client client) {
    return new SimulatedSession(this, client);
  }

  /** A shard has come to another owner. */
  public void moved(int shard) {
    sessions.moved(shard);
  }

  /** Somebody reads a lock, so that everything is seen that was done before. */
  public CompletionStage<GetLockResponse> get(String key) {
    return reading(() -> reads.get(GetLockRequest.newBuilder().setKey(key).build()));
  }

  /** Somebody reads all locks, in the same way. */
  public CompletionStage<ListLocksResponse> list() {
    return reading(() -> reads.list(ListLocksRequest.getDefaultInstance()));
  }

  /** As each call does it. */
  private <A> CompletionStage<A> reading(Supplier<CompletionStage<A>> read) {
    try {
      requireServing();
      return read.get();
    } catch (StatusRuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Refuses for a node that may not act. */
  void requireServing() {
    if (node.isLeaving()) {
      throw StatusMapping.error(Reason.REASON_LEAVING, "this node is stopping");
    } else if (!node.mayAct()) {
      throw StatusMapping.error(Reason.REASON_NO_MAJORITY, "this node may not act");
    }
  }

  CompletionStage<Renewal.Answer> renew(Renewal renewal) {
    return asked(renewal, answered -> node.renew(renewal, answered));
  }

  CompletionStage<LeaseAnswer> handle(long lease, LeaseCommand command) {
    return asked(command, answered -> node.handle(lease, command, answered));
  }

  /* By another thread: a violation that shows itself there must not become a failed stage. */
  private <A> CompletionStage<A> asked(Object what, Consumer<Consumer<A>> asks) {
    CompletableFuture<A> answer = new CompletableFuture<>();
    node.later(node.delayUs(), what, () -> asks.accept(answer::complete));
    node.later(
        ANSWER_WITHIN_US,
        "nobody has answered " + what,
        () -> answer.completeExceptionally(new TimeoutException()));
    return answer;
  }

  /** The status of a failure; one that is a fault of the node is a violation. */
  static StatusRuntimeException status(@Nullable Throwable failure) {
    StatusRuntimeException status = Calls.status(failure);
    if (StatusMapping.refusal(status).getReason() == Reason.REASON_INTERNAL) {
      throw new IllegalStateException("a fault of the node", failure);
    }
    return status;
  }

  private final class Leases implements LeaseGateway {
    @Override
    public CompletionStage<LeaseAnswer> handle(long lease, LeaseCommand command) {
      return SimulatedSessions.this.handle(lease, command);
    }

    @Override
    public CompletionStage<Renewal.Answer> renew(Renewal renewal) {
      return SimulatedSessions.this.renew(renewal);
    }
  }

  private final class OfNode implements ShardMap {
    @Override
    public int shards() {
      return node.shards();
    }

    @Override
    public int shard(LockKey key) {
      return node.shardOf(key.value());
    }

    @Override
    public int shard(long lease) {
      return node.shardOf(SimulatedShards.nameOfLease(lease));
    }

    @Override
    public Owners owners() {
      return node.owners();
    }

    @Override
    public OptionalLong leftHere(Renewal of) {
      return OptionalLong.empty();
    }
  }

  private final class Facts implements AnswerFacts {
    @Override
    public NodeIdentity identity() {
      return new NodeIdentity(1, node.member());
    }

    @Override
    public long revision() {
      return node.revision();
    }

    @Override
    public long wallMs() {
      return 0;
    }

    @Override
    public long term() {
      return 1;
    }
  }

  /** Where the core of a stream is told what comes later. */
  ReplyTo<SessionMessage> mailbox(Consumer<SessionMessage> reader) {
    return new ReplyTo<>(
        message -> node.later(node.delayUs(), message, () -> reader.accept(message)));
  }
}
