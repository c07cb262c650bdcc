package io.holdfast.client;

import com.google.protobuf.ByteString;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.holdfast.v1.Event;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchProgress;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A watch of locks. When its node dies, freezes or leaves, it continues at another one, without a
 * gap and without a duplicate, until it is closed.
 */
public final class LockWatch implements AutoCloseable {

  private static final Logger LOG = System.getLogger("io.holdfast.client");

  private static final long WATCH_ID = 1;
  private static final long LOOK_EVERY_MILLIS = 1_000;
  private static final int LOOKS_UNTIL_ASKED = 5;
  private static final int LOOKS_UNTIL_LEFT = 7;
  private static final long PAUSE_MILLIS = 100;

  private static final Set<Reason> ELSEWHERE =
      Set.of(
          Reason.REASON_SLOW_CONSUMER,
          Reason.REASON_LEAVING,
          Reason.REASON_NOT_READY,
          Reason.REASON_NO_MAJORITY,
          Reason.REASON_OVERLOADED,
          Reason.REASON_INTERNAL);

  private final NodeChannels channels;
  private final KnownNodes nodes;
  private final ClientSettings settings;
  private final WatchCreate what;
  private final LockListener listener;
  private final CompletableFuture<Boolean> created = new CompletableFuture<>();
  private final ReentrantLock telling = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private @Nullable Stream current;
  private ByteString resumeToken = ByteString.EMPTY;
  private int node;
  private boolean isClosed;

  LockWatch(
      NodeChannels channels,
      KnownNodes nodes,
      ClientSettings settings,
      WatchCreate what,
      LockListener listener) {
    this.channels = channels;
    this.nodes = nodes;
    this.settings = settings;
    this.what = what;
    this.listener = listener;
  }

  LockWatch start() {
    connect();
    look();
    return this;
  }

  /** Completes when a node has started the watch: every later change is reported. */
  public CompletionStage<Boolean> created() {
    return HandedOver.to(settings.callbacks(), created);
  }

  private void connect() {
    lock.lock();
    try {
      if (isClosed) {
        return;
      }
      WatchCreate.Builder create = what.toBuilder().setWatchId(WATCH_ID).setProgressNotify(true);
      if (!resumeToken.isEmpty()) {
        create.setResumeToken(resumeToken);
      }
      List<Endpoint> all = List.copyOf(nodes.list());
      Endpoint endpoint = all.get(Math.floorMod(node, all.size()));
      Stream stream = new Stream(endpoint);
      current = stream;
      LockServiceGrpc.LockServiceStub stub =
          LockServiceGrpc.newStub(channels.to(endpoint))
              .withCallCredentials(settings.callCredentials());
      var unused = stub.watch(stream);
      stream.send(WatchRequest.newBuilder().setCreate(create).build());
    } finally {
      lock.unlock();
    }
  }

  /** Checks periodically that the node is not silent. */
  private void look() {
    Executor later =
        CompletableFuture.delayedExecutor(
            LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS, settings.callbacks());
    later.execute(
        () -> {
          Stream stream;
          lock.lock();
          try {
            if (isClosed) {
              return;
            }
            stream = current;
          } finally {
            lock.unlock();
          }
          try {
            if (stream != null) {
              stream.look();
            }
          } finally {
            look();
          }
        });
  }

  private void elsewhere(Stream from, boolean isBroken) {
    lock.lock();
    try {
      if (isClosed || current != from) {
        return;
      }
      current = null;
      node++;
    } finally {
      lock.unlock();
    }
    if (isBroken) {
      channels.replace(from.endpoint);
      nodes.trouble();
    }
    CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, settings.callbacks())
        .execute(this::connect);
  }

  private void end(HoldfastException why) {
    lock.lock();
    try {
      if (isClosed) {
        return;
      }
      isClosed = true;
    } finally {
      lock.unlock();
    }
    created.completeExceptionally(why);
    settings.callbacks().execute(() -> listener.ended(why));
  }

  /** Ends the watch. No change is reported afterwards, except one that is being reported. */
  @Override
  public void close() {
    Stream stream;
    lock.lock();
    try {
      isClosed = true;
      stream = current;
    } finally {
      lock.unlock();
    }
    if (stream != null) {
      stream.cancel();
    }
  }

  private boolean take(Stream from, WatchResponse response) {
    lock.lock();
    try {
      if (isClosed || current != from) {
        return false;
      }
      if (!response.getResumeToken().isEmpty()) {
        resumeToken = response.getResumeToken();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The stream to one node; the next message comes after the last one was reported. */
  private final class Stream implements ClientResponseObserver<WatchRequest, WatchResponse> {

    private final Endpoint endpoint;
    private @Nullable ClientCallStreamObserver<WatchRequest> call;
    private volatile int quietLooks;
    private volatile boolean isTelling;

    Stream(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
      call = stream;
      stream.disableAutoRequestWithInitial(1);
    }

    void send(WatchRequest request) {
      ClientCallStreamObserver<WatchRequest> open = call;
      if (open != null) {
        open.onNext(request);
      }
    }

    void cancel() {
      ClientCallStreamObserver<WatchRequest> open = call;
      if (open != null) {
        open.cancel("the watch has moved or ended", null);
      }
    }

    void look() {
      if (isTelling) {
        return; // a slow listener does not make the node silent
      }
      int looks = quietLooks + 1;
      quietLooks = looks;
      if (looks == LOOKS_UNTIL_ASKED) {
        send(
            WatchRequest.newBuilder()
                .setProgress(WatchProgress.newBuilder().setWatchId(WATCH_ID))
                .build());
      } else if (looks >= LOOKS_UNTIL_LEFT) {
        cancel();
        elsewhere(this, /* isBroken= */ true);
      }
    }

    @Override
    public void onNext(WatchResponse response) {
      quietLooks = 0;
      isTelling = true;
      settings.callbacks().execute(() -> tell(response));
    }

    private void tell(WatchResponse response) {
      telling.lock(); // changes from the stream before this one come first
      try {
        if (take(this, response)) {
          if (response.getCreated()) {
            created.complete(true);
          }
          for (Event event : response.getEventsList()) {
            changed(LockChange.of(event));
          }
          if (response.getCanceled()) {
            ended(response.getRefusal());
          }
        }
      } finally {
        telling.unlock();
        quietLooks = 0;
        isTelling = false;
        ClientCallStreamObserver<WatchRequest> open = call;
        if (open != null) {
          open.request(1);
        }
      }
    }

    /** An exception of the listener must not lose the next change. */
    private void changed(LockChange change) {
      try {
        listener.changed(change);
      } catch (RuntimeException e) {
        LOG.log(
            Level.WARNING, "whoever watches has failed at a change of [" + change.key() + "]", e);
      }
    }

    private void ended(Refusal refusal) {
      cancel();
      if (ELSEWHERE.contains(refusal.getReason())) {
        elsewhere(this, /* isBroken= */ false);
      } else {
        end(new RequestRefused(refusal.getReason(), refusal.getMessage(), null));
      }
    }

    @Override
    public void onError(Throwable failure) {
      Refusal refusal = FailureReader.refusal(failure).orElse(null);
      if (refusal == null || ELSEWHERE.contains(refusal.getReason())) {
        elsewhere(this, /* isBroken= */ refusal == null);
      } else {
        end(new RequestRefused(refusal.getReason(), refusal.getMessage(), failure));
      }
    }

    @Override
    public void onCompleted() {
      elsewhere(this, /* isBroken= */ false);
    }
  }
}
