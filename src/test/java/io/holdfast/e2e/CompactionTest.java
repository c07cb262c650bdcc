package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.ManagedChannel;
import io.holdfast.v1.Event;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Reason;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that keeps few changes says what it does not know any more, and from where it does. */
class CompactionTest {

  private static final int KEPT = 1_000;

  /** Calls under way: fewer than one address may have. */
  private static final int AT_ONCE = 250;

  @TempDir private Path folder;

  @Test
  void a_late_watch_is_told_and_a_list_and_new_watch_miss_nothing() throws IOException {
    Path config = folder.resolve("node.conf");
    Files.writeString(config, "holdfast.watch.history.max-events = " + KEPT);
    try (NodeUnderTest node =
        NodeUnderTest.serving(folder, Map.of("HOLDFAST_CONFIG", config.toString()))) {
      ManagedChannel channel = node.connect();
      LockServiceGrpc.LockServiceStub stream = LockServiceGrpc.newStub(channel);
      LockServiceGrpc.LockServiceBlockingStub stub = LockServiceGrpc.newBlockingStub(channel);
      LockServiceGrpc.LockServiceFutureStub future = LockServiceGrpc.newFutureStub(channel);
      WatchUnderTest early =
          WatchUnderTest.created(stream, WatchCreate.newBuilder().setPrefix("elsewhere/"));
      long first = stub.lock(Asked.lock("k/0", "h").build()).getHeader().getRevision();
      List<ListenableFuture<LockResponse>> all = new ArrayList<>();
      for (int i = 1; i <= KEPT; i++) {
        all.add(future.lock(Asked.lock("k/" + i, "h").build()));
        if (i % AT_ONCE == 0) {
          all.forEach(Asked::answer);
          all.clear();
        }
      }

      WatchResponse told = ended(stream, WatchCreate.newBuilder().setStartRevision(first));
      assertEquals(Reason.REASON_COMPACTED, told.getRefusal().getReason());
      assertTrue(told.getCompactRevision() > first);
      WatchResponse late =
          ended(stream, WatchCreate.newBuilder().setResumeToken(early.resumeToken()));
      assertEquals(
          Reason.REASON_CURSOR_INVALID, late.getRefusal().getReason(), "of another selector");

      WatchUnderTest kept =
          WatchUnderTest.created(
              stream,
              WatchCreate.newBuilder().setPrefix("k/").setStartRevision(told.getCompactRevision()));
      List<Event> events = kept.awaitEvents(1);
      assertEquals(told.getCompactRevision(), events.get(0).getLock().getModRevision());
      long listed =
          stub.listLocks(ListLocksRequest.newBuilder().setPrefix("k/").build())
              .getHeader()
              .getRevision();
      WatchUnderTest anew =
          WatchUnderTest.created(
              stream, WatchCreate.newBuilder().setPrefix("k/").setStartRevision(listed + 1));
      long next = stub.lock(Asked.lock("k/next", "h").build()).getHeader().getRevision();
      assertEquals(next, anew.awaitEvents(1).get(0).getLock().getModRevision());
      channel.shutdownNow();
    }
  }

  private static WatchResponse ended(
      LockServiceGrpc.LockServiceStub stream, WatchCreate.Builder create) {
    try (WatchUnderTest watch = WatchUnderTest.created(stream, create.setPrefix("k/"))) {
      List<WatchResponse> all =
          watch.await("it ends", told -> told.get(told.size() - 1).getCanceled());
      return all.get(all.size() - 1);
    }
  }
}
