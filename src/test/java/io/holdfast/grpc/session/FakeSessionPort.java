package io.holdfast.grpc.session;

import io.grpc.StatusRuntimeException;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.coordination.member.Owners;
import io.holdfast.grpc.call.CommandQuota;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Ttl;
import io.holdfast.sharding.ShardMap;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ReplyTo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A node that does nothing but remember what a session's core has had it do. */
final class FakeSessionPort implements SessionPort, ShardMap {

  private static final int SHARDS = 48;
  private static final long TTL_MS = 10_000;

  final Queue<LockMessage.Handle> sent = new ArrayDeque<>();
  final Queue<SessionResponse> frames = new ArrayDeque<>();
  final List<Long> keptAlive = new ArrayList<>();
  final List<Long> reads = new ArrayList<>();
  final List<LeaseLife> joined = new ArrayList<>();
  int taken;
  int revoked;
  boolean isLeaving;
  @Nullable StatusRuntimeException error;
  private final Map<String, List<Long>> sentByKey = new LinkedHashMap<>();
  int underWay;
  int unread;
  boolean hasRoomForAnswers = true;
  int waiting;
  boolean hasRoomToWait = true;
  int begun;
  private int openOfConnection;
  private final Quota operations = new Quota(Quota.Kind.OPERATIONS, 8_000, 1_000);
  private final ClientConnection caller = ClientConnection.unknown();
  private CommandQuota commands = new CommandQuota(1_000);

  /** A core of which so many operations may be open. */
  SessionStreamCore core(int maxOpen) {
    return new SessionStreamCore(
        this,
        new AnswerWriter(new Facts(), this),
        this,
        new SessionStreamSettings(maxOpen, 1_000, 1_000, 1_000),
        new ReplyTo<>(answer -> {}));
  }

  /** A node that may have so many commands under way, a quarter of them by one connection. */
  void limit(int maxCommands) {
    commands = new CommandQuota(maxCommands);
  }

  static SessionOpener.OpenedSession opened(LeaseLife session) {
    return new SessionOpener.OpenedSession(
        new ClientId("c"),
        new Lifetime.Shared(session, new Ttl(TTL_MS)),
        SessionOpened.newBuilder().setSessionId(session.id().value()).build());
  }

  static LockKey key(String name) {
    return new LockKey(name);
  }

  /** Returns the numbers that were sent to each key since the last call. */
  List<String> takeSent() {
    List<String> all =
        sentByKey.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList();
    sentByKey.clear();
    return all;
  }

  Reason endedBy() {
    StatusRuntimeException by = error;
    return by == null ? Reason.REASON_UNSPECIFIED : StatusMapping.refusal(by).getReason();
  }

  @Override
  public void requireServing() {}

  @Override
  public boolean isLeaving() {
    return isLeaving;
  }

  @Override
  public void open(SessionOpen request) {}

  @Override
  public void join(LeaseLife session) {
    joined.add(session);
  }

  @Override
  public void tell(LockKey key, List<LockMessage.Handle> messages) {
    messages.forEach(message -> tell(key, message));
  }

  @Override
  public void tell(LockKey key, LockMessage.Handle message) {
    sent.add(message);
    sentByKey.computeIfAbsent(key.value(), unused -> new ArrayList<>()).add(message.number());
  }

  @Override
  public void find(LockKey key, long number, LockRequest request) {}

  @Override
  public void renew(LockKey key, long number, RenewRequest request, Renewal renewal) {}

  @Override
  public void get(long number, GetLockRequest request) {
    reads.add(number);
  }

  @Override
  public void validate(long number, ValidateRequest request) {}

  @Override
  public void keepAlive(long number, LeaseLife session) {
    keptAlive.add(number);
  }

  @Override
  public void revoke(LeaseLife session) {
    revoked++;
  }

  @Override
  public void flushSoon() {}

  @Override
  public void give(SessionResponse frame) {
    frames.add(frame);
  }

  @Override
  public void begun() {
    begun++;
  }

  @Override
  public void take() {
    taken++;
  }

  @Override
  public void end(@Nullable StatusRuntimeException by) {
    error = by;
  }

  int openOfConnection() {
    return openOfConnection;
  }

  @Override
  public Quota.@Nullable Full fullOfOpen(int more) {
    return operations.full(caller, more, /* reserve= */ 0);
  }

  @Override
  public boolean hasRoomForAnswers() {
    return hasRoomForAnswers;
  }

  @Override
  public void countUnread(int more) {
    unread += more;
  }

  @Override
  public boolean hasRoomToWait() {
    return hasRoomToWait;
  }

  @Override
  public void countWaiting(int more) {
    waiting += more;
  }

  @Override
  public boolean hasRoom(int more, boolean goesFirst) {
    return commands.hasRoom(caller, more, goesFirst);
  }

  @Override
  public void count(int open, int more) {
    operations.count(caller, open);
    openOfConnection += open;
    underWay += more;
    commands.count(caller, more);
  }

  @Override
  public int shards() {
    return SHARDS;
  }

  @Override
  public ShardId shard(LockKey key) {
    return ShardId.of(Math.floorMod(key.value().hashCode(), SHARDS));
  }

  @Override
  public ShardId shard(LeaseId lease) {
    return ShardId.of(0);
  }

  @Override
  public Owners owners() {
    return shard -> Optional.empty();
  }

  @Override
  public OptionalLong leftHere(Renewal of) {
    return OptionalLong.empty();
  }

  private static final class Facts implements AnswerFacts {

    @Override
    public NodeIdentity identity() {
      return new NodeIdentity(1, 2);
    }

    @Override
    public Revision revision() {
      return new Revision(5);
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
}
