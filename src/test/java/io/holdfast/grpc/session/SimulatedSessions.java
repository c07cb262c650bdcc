package io.holdfast.grpc.session;

import io.grpc.StatusRuntimeException;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.coordination.member.Owners;
import io.holdfast.grpc.call.CallRunner;
import io.holdfast.grpc.call.LeaseQuota;
import io.holdfast.grpc.call.LifetimeResolver;
import io.holdfast.grpc.call.NodeQuotas;
import io.holdfast.grpc.call.ReadCalls;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.RemainingTtls;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.hosting.LockQueries;
import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.sharding.LeaseGateway;
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
 * The session streams of one simulated node process: the real rules in virtual time, without Akka.
 */
public final class SimulatedSessions {

  /** The parts of the simulated process that session streams use. */
  public interface Node {

    /** Runs an action later, if the process is alive then. */
    void later(long delayUs, Object what, Runnable action);

    /** Its monotonic clock. */
    long nanos();

    /** Returns the delay of the next hand-over between two threads. */
    long delayUs();

    long random();

    /** True if the node's own session is certainly valid. */
    boolean mayAct();

    long member();

    /** True if the node is shutting down. */
    boolean isLeaving();

    /** Returns the count of public changes that the node has applied. */
    Revision revision();

    /**
     * Completes when the node has applied every entry that any node had applied; false if it
     * cannot.
     */
    CompletionStage<Boolean> caughtUp();

    /** Returns the state that the node has applied. */
    JournalStore store();

    int shards();

    ShardId shardOf(String name);

    /** Returns the owners of shards that the node knows. */
    Owners owners();

    /** Sends a batch of commands to a lock. */
    void tell(LockKey key, List<LockMessage.Handle> messages);

    /** Sends a command to a lease. */
    void handle(LeaseId lease, LeaseCommand command, Consumer<LeaseAnswer> answered);

    /** Renews a grant, a waiter or a lease. */
    void renew(Renewal renewal, Consumer<Renewal.Answer> answered);
  }

  /** The client's side of a stream. */
  public interface Client {

    void frame(SessionResponse frame);

    /** The node has ended the stream, normally or with this refusal. */
    void ended(@Nullable Refusal refusal);
  }

  private static final int MAX_OPEN = 1_000;
  private static final long ANSWER_WITHIN_US = 5_000_000;

  final Node node;
  final ShardMap shards;
  final AnswerWriter writer;
  final SessionOpener opening;
  final LifetimeResolver lives;
  final SessionRegistry sessions;
  final ReadCalls reads;
  final SessionStreamSettings settings =
      new SessionStreamSettings(MAX_OPEN, MAX_OPEN, MAX_OPEN, MAX_OPEN);

  public SimulatedSessions(Node node, LeaseEndFeed leaseEnds) {
    this.node = node;
    shards = new OfNode();
    AnswerFacts facts = new Facts();
    writer = new AnswerWriter(facts, shards);
    LockQueries found = new LockQueries(node.store(), node::caughtUp, shards, Runnable::run);
    RemainingTtls remaining =
        new RemainingTtls(of -> CompletableFuture.completedFuture(OptionalLong.empty()));
    reads = new ReadCalls(found, writer, remaining);
    lives =
        new LifetimeResolver(
            (lease, linearizable) ->
                found.lease(lease, linearizable).thenApply(LockQueries.Read::value));
    opening =
        new SessionOpener(new Leases(), share(found), shards, lives, facts, settings, node::random);
    sessions =
        new SessionRegistry(MAX_OPEN, action -> node.later(node.delayUs(), "tells moves", action));
    leaseEnds.listen(sessions);
  }

  /** There is always room. */
  private static LeaseQuota share(LockQueries found) {
    return new LeaseQuota(
        new Quota(Quota.Kind.LEASES, 1_000_000, 1_000_000),
        NodeQuotas.applied(found),
        Runnable::run,
        Runnable::run);
  }

  /** A client begins a stream. */
  public SimulatedSession connect(Client client) {
    return new SimulatedSession(this, client);
  }

  /** A shard has come to another owner. */
  public void moved(ShardId shard) {
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

  CompletionStage<LeaseAnswer> handle(LeaseId lease, LeaseCommand command) {
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
    StatusRuntimeException status = CallRunner.status(failure);
    if (StatusMapping.refusal(status).getReason() == Reason.REASON_INTERNAL) {
      throw new IllegalStateException("a fault of the node", failure);
    }
    return status;
  }

  private final class Leases implements LeaseGateway {
    @Override
    public CompletionStage<LeaseAnswer> handle(LeaseId lease, LeaseCommand command) {
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
    public ShardId shard(LockKey key) {
      return node.shardOf(key.value());
    }

    @Override
    public ShardId shard(LeaseId lease) {
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
    public Revision revision() {
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

  /** Returns the mailbox of a stream's core. */
  ReplyTo<SessionMessage> mailbox(Consumer<SessionMessage> reader) {
    return new ReplyTo<>(
        message -> node.later(node.delayUs(), message, () -> reader.accept(message)));
  }
}
