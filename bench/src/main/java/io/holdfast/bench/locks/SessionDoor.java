package io.holdfast.bench.locks;

import io.grpc.ManagedChannel;
import io.holdfast.bench.cluster.NodePlace;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Operation;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.UnlockRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/** One session with a stream to one node or to each: the fast path. */
final class SessionDoor implements Door {

  private static final long TTL_MS = 30_000;
  private static final long WITHIN_SECONDS = 30;

  private final Routing routing;
  private final Findings findings;
  private final OpenNumbers numbers = new OpenNumbers();
  private final AtomicLong keepAlives = new AtomicLong();
  private final List<ManagedChannel> channels = new ArrayList<>();

  /** A stream is added while those before it flush all. */
  private final List<SessionStream> streams = new CopyOnWriteArrayList<>();

  private final Map<Long, Integer> streamOfMember = new ConcurrentHashMap<>();

  /** By shard, as the nodes have said. */
  private final Map<Integer, Long> owners = new ConcurrentHashMap<>();

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "keepalive");
            thread.setDaemon(true);
            return thread;
          });

  private int shards = 1;

  private SessionDoor(Routing routing, Findings findings) {
    this.routing = routing;
    this.findings = findings;
  }

  /** Opens a session, and a stream of it to each of the nodes. */
  static SessionDoor open(List<NodePlace> places, Routing routing, Findings findings) {
    SessionDoor door = new SessionDoor(routing, findings);
    long session = 0;
    for (NodePlace place : places) {
      ManagedChannel channel = Channels.to(place);
      door.channels.add(channel);
      SessionStream stream = new SessionStream(door);
      SessionOpen.Builder open = SessionOpen.newBuilder();
      SessionStream.First first =
          await(
              stream.open(
                  channel,
                  session == 0
                      ? open.setTtlMs(TTL_MS).setClientId("bench").build()
                      : open.setSessionId(session).build()));
      session = first.opened().getSessionId();
      door.streamOfMember.put(first.member(), door.streams.size());
      door.streams.add(stream);
      door.shards = first.opened().getShardCount();
    }
    var unused =
        door.clock.scheduleAtFixedRate(
            door::keepAlive, TTL_MS / 3, TTL_MS / 3, TimeUnit.MILLISECONDS);
    return door;
  }

  private static <T> T await(CompletableFuture<T> future) {
    return future.orTimeout(WITHIN_SECONDS, TimeUnit.SECONDS).join();
  }

  private void keepAlive() {
    SessionStream stream = streams.get(0);
    stream.keepAlive(keepAlives.incrementAndGet());
    stream.flush();
  }

  @Override
  public void lock(String key, int seat, long timeoutMs, Asker asker) {
    ask(
        key,
        seat,
        Operation.newBuilder()
            .setLock(
                LockRequest.newBuilder()
                    .setKey(key)
                    .setHolderId(Channels.holder(seat))
                    .setTimeoutMs(timeoutMs)),
        asker);
  }

  @Override
  public void unlock(String key, int seat, long token, Asker asker) {
    ask(
        key,
        seat,
        Operation.newBuilder()
            .setUnlock(UnlockRequest.newBuilder().setKey(key).setFencingToken(token)),
        asker);
  }

  private void ask(String key, int seat, Operation.Builder operation, Asker asker) {
    long number = numbers.take();
    if (!streams.get(stream(key, seat)).ask(number, operation, asker)) {
      numbers.finished(number);
      asker.onRefused("the stream is over");
    }
  }

  private int stream(String key, int seat) {
    return switch (routing) {
      case ONE -> 0;
      case EACH -> seat % streams.size();
      case OWNER -> {
        CRC32C crc = new CRC32C();
        crc.update(key.getBytes(StandardCharsets.UTF_8));
        Long owner = owners.get((int) (crc.getValue() % shards));
        yield owner == null ? 0 : streamOfMember.getOrDefault(owner, 0);
      }
    };
  }

  /** A node has reported the owner of a shard. */
  void hinted(OwnerHint owner) {
    if (owner.getMemberId() != 0) {
      owners.put(owner.getShard(), owner.getMemberId());
    }
  }

  @Override
  public void flush() {
    for (SessionStream stream : streams) {
      stream.flush();
    }
  }

  long lowestOpen() {
    return numbers.lowest();
  }

  void finished(long number) {
    numbers.finished(number);
  }

  void unexpected(String what) {
    findings.wrong(what);
  }

  /** Ends the session, with all that it holds; its streams must end in good order. */
  @Override
  public void close() {
    clock.shutdownNow();
    streams.get(0).closeSession();
    streams.get(0).flush();
    if (!await(streams.get(0).ended())) {
      findings.failed("the session's end: whether it was revoked was not told in time");
    }
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
