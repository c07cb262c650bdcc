package io.holdfast.client.session;

import io.holdfast.client.fixtures.ModelLocks;
import io.holdfast.client.fixtures.ModelLocks.Asker;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Header;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.ShardHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Nodes that share one naive lock service: each may die, freeze, refuse, and come back. */
final class ModelNodes {

  static final int SIZE = 3;
  private static final int SHARDS = 8;

  /** Delivers a node's frames, and the end of a stream, to the client that has the stream. */
  interface ToClient {
    void frame(SessionResponse frame);

    void ended(@Nullable Refusal refusal);
  }

  private static final class Stream {
    final int node;
    final ToClient client;
    final Map<String, Operation> open = new TreeMap<>();
    long session;

    Stream(int node, ToClient client) {
      this.node = node;
      this.client = client;
    }
  }

  enum Health {
    WELL,
    FROZEN,
    DEAD,
    REFUSING
  }

  final ModelLocks locks;
  private final RandomGenerator random;
  private final LongSupplier clock;
  private final Health[] health = {Health.WELL, Health.WELL, Health.WELL};
  private final List<Stream> streams = new ArrayList<>();
  private final List<List<Runnable>> frozen =
      List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  private final Map<Long, Long> lowest = new HashMap<>();
  private boolean isOutage;

  ModelNodes(ModelLocks.Witness witness, RandomGenerator random, LongSupplier clock) {
    this.random = random;
    this.clock = clock;
    this.locks = new ModelLocks(this::late, witness);
  }

  Health health(int node) {
    return health[node];
  }

  /** True if all nodes are away, and no time of a lock passes. */
  boolean isOutage() {
    return isOutage;
  }

  /** All nodes are killed. */
  void killAll() {
    for (int node = 0; node < SIZE; node++) {
      turn(node, Health.DEAD);
    }
    isOutage = true;
  }

  /** All nodes are back. */
  void restartAll() {
    isOutage = false;
    locks.beginAnew(clock.getAsLong());
    for (int node = 0; node < SIZE; node++) {
      turn(node, Health.WELL);
    }
  }

  /** Changes the health of a node; what a frozen one was sent is read when it thaws. */
  void turn(int node, Health to) {
    if (isOutage) {
      return;
    }
    health[node] = to;
    if (to == Health.DEAD) {
      for (Stream stream : List.copyOf(streams)) {
        if (stream.node == node) {
          streams.remove(stream);
          stream.client.ended(null);
        }
      }
      frozen.get(node).clear();
    } else if (to != Health.FROZEN) {
      List<Runnable> kept = List.copyOf(frozen.get(node));
      frozen.get(node).clear();
      kept.forEach(Runnable::run);
    }
  }

  /** A stream begins; what is returned takes its frames. */
  @Nullable Object connect(int node, ToClient client) {
    if (health[node] == Health.DEAD) {
      return null;
    }
    Stream stream = new Stream(node, client);
    streams.add(stream);
    return stream;
  }

  void disconnect(Object stream) {
    streams.remove((Stream) stream);
  }

  void frame(Object to, SessionRequest frame) {
    Stream stream = (Stream) to;
    switch (health[stream.node]) {
      case FROZEN -> frozen.get(stream.node).add(() -> serve(stream, frame));
      case DEAD -> {}
      default -> serve(stream, frame);
    }
  }

  private void serve(Stream stream, SessionRequest frame) {
    long now = clock.getAsLong();
    if (!streams.contains(stream)) {
      serveLate(stream, frame, now);
      return;
    }
    locks.expire(now);
    SessionResponse.Builder response =
        SessionResponse.newBuilder().setHeader(Header.newBuilder().setMemberId(stream.node + 1L));
    if (frame.hasOpen() && !open(stream, frame, response, now)) {
      return;
    }
    lowest.merge(stream.session, frame.getLowestOpenNumber(), Math::max);
    if (frame.getKeepAliveNumber() > 0) {
      var ttl = locks.renew(stream.session, now);
      if (ttl.isEmpty()) {
        end(stream, Reason.REASON_SESSION_NOT_FOUND);
        return;
      }
      response.setKeepAliveNumber(frame.getKeepAliveNumber()).setGrantedTtlMs(ttl.get());
    }
    for (Operation operation : frame.getOperationsList()) {
      response.addAnswers(answer(stream, operation, now).setNumber(operation.getNumber()));
    }
    if (frame.getClose()) {
      locks.end(stream.session, now);
      response.setClosed(true);
    }
    stream.client.frame(response.build());
  }

  /** Its stream is over, and what it asked was on its way: it is decided and told to nobody. */
  private void serveLate(Stream stream, SessionRequest frame, long now) {
    for (Operation operation : frame.getOperationsList()) {
      if (locks.isAlive(stream.session)
          && operation.getNumber() >= lowest.getOrDefault(stream.session, 0L)) {
        locks.decide(
            new Asker(stream.session, Long.toString(operation.getNumber())), operation, now);
      }
    }
  }

  private boolean open(
      Stream stream, SessionRequest frame, SessionResponse.Builder response, long now) {
    long session = frame.getOpen().getSessionId();
    boolean resumed = session != 0;
    long ttl = frame.getOpen().getTtlMs();
    if (resumed) {
      var found = locks.renew(session, now);
      if (found.isEmpty()) {
        end(stream, Reason.REASON_SESSION_NOT_FOUND);
        return false;
      }
      ttl = found.get();
    } else {
      session = random.nextLong(1, Long.MAX_VALUE);
      locks.open(session, ttl, now);
    }
    stream.session = session;
    response.setOpened(
        SessionOpened.newBuilder()
            .setSessionId(session)
            .setGrantedTtlMs(ttl)
            .setResumed(resumed)
            .setMaxOpenOperations(100)
            .setShardCount(SHARDS)
            .setShardHash(ShardHash.SHARD_HASH_CRC32C));
    return true;
  }

  private Answer.Builder answer(Stream stream, Operation operation, long now) {
    if (operation.getNumber() < lowest.getOrDefault(stream.session, 0L)) {
      return ModelLocks.refused(Reason.REASON_REQUEST_FORGOTTEN);
    } else if (health[stream.node] == Health.REFUSING) {
      return ModelLocks.refused(
          random.nextBoolean() ? Reason.REASON_NO_MAJORITY : Reason.REASON_INDETERMINATE);
    } else if (locks.renew(stream.session, now).isEmpty()) {
      return ModelLocks.refused(Reason.REASON_LEASE_NOT_FOUND);
    }
    Answer.Builder answer =
        locks.decide(
            new Asker(stream.session, Long.toString(operation.getNumber())), operation, now);
    if (answer.getLock().getQueued()) {
      stream.open.put(Long.toString(operation.getNumber()), operation);
    }
    return answer;
  }

  private void end(Stream stream, Reason reason) {
    streams.remove(stream);
    stream.client.ended(ModelLocks.refused(reason).getRefused());
  }

  /**
   * A client that still has the stream on which it waited is told; others find the answer by asking
   * again.
   */
  private void late(Asker asker, Answer.Builder answer) {
    for (Stream stream : List.copyOf(streams)) {
      if (stream.session == asker.session() && stream.open.remove(asker.name()) != null) {
        SessionResponse frame =
            SessionResponse.newBuilder()
                .setHeader(Header.newBuilder().setMemberId(stream.node + 1L))
                .addAnswers(answer.clone().setNumber(Long.parseLong(asker.name())))
                .build();
        if (health[stream.node] == Health.FROZEN) {
          frozen.get(stream.node).add(() -> stream.client.frame(frame));
        } else {
          stream.client.frame(frame);
        }
      }
    }
  }
}
