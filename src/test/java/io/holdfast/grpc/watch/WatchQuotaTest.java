package io.holdfast.grpc.watch;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.WatchSettings;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.id.Revision;
import io.holdfast.v1.Reason;
import io.holdfast.v1.WatchCancel;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.watch.Changes;
import io.holdfast.watch.WatchHub;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The byte quota of watches, and their backpressure by unread answers. */
class WatchQuotaTest {

  private static final Duration WITHIN = Duration.ofSeconds(10);
  private static final int ALL = 20_000;
  private static final int SHARE = 10_000;
  private static final int OF_A_WATCH = 1_024 + 2;

  private static final ActorSystem SYSTEM =
      ActorSystem.create(
          "bytes-of-watches",
          ConfigFactory.parseString("akka { loglevel = OFF, stdout-loglevel = OFF }")
              .withFallback(ConfigFactory.defaultReference())
              .resolve());

  private final WatchSettings settings =
      new WatchSettings(1_000, 64 << 20, 100, 1_000, Duration.ofSeconds(60));
  private final WatchHub hub = new WatchHub(settings, Runnable::run);
  private final Quota bytes = new Quota(Quota.Kind.WATCH_BYTES, ALL, ALL);
  private final Quota unread = new Quota(Quota.Kind.UNREAD, ALL, ALL);
  private final ClientConnection caller = ClientConnection.unknown();
  private final WatchClient client = new WatchClient(SYSTEM, hub, settings, bytes, unread, caller);

  @AfterAll
  static void stop() {
    SYSTEM.terminate();
  }

  @Test
  void watches_count_by_the_size_of_their_selectors() {
    String prefix = "p".repeat(512);
    int each = 1_024 + 2 * 512;
    for (int id = 1; id <= SHARE / each; id++) {
      create(id, prefix);
      assertTrue(client.receive().getCreated());
      long expected = (long) id * each;
      eventually("it counts", WITHIN, bytes::taken, taken -> taken == expected);
    }
    create(100, prefix);
    WatchResponse refused = client.receive();
    assertEquals(Reason.REASON_TOO_MANY_WATCHES, refused.getRefusal().getReason());
    assertEquals(SHARE, refused.getRefusal().getMaximum());
    client.send(
        WatchRequest.newBuilder().setCancel(WatchCancel.newBuilder().setWatchId(1)).build());
    assertTrue(client.receive().getCanceled());
    create(100, prefix);
    assertTrue(client.receive().getCreated());
    client.leave();
    eventually("all is given back", WITHIN, bytes::taken, taken -> taken == 0);
  }

  @Test
  void watch_events_wait_while_too_many_answers_are_unread() {
    watchAll();
    unread.count(caller, SHARE); // by other streams of the address
    hub.changed(List.of(Changes.granted(1, "a")), new Revision(1));
    create(2, "b");
    WatchResponse answer = client.receive();
    assertTrue(answer.getCreated(), () -> "told, before what was asked: " + answer);
    unread.give(caller, SHARE);
    assertEquals(1, client.receive().getEventsCount());
    unread.count(ClientConnection.unknown(), SHARE - 1_000); // others do not count
    hub.changed(List.of(Changes.granted(2, "a")), new Revision(2));
    assertEquals(1, client.receive().getEventsCount());
  }

  private void watchAll() {
    create(1, "a");
    assertTrue(client.receive().getCreated());
    eventually("it counts", WITHIN, bytes::taken, taken -> taken == OF_A_WATCH);
  }

  private void create(long id, String prefix) {
    client.send(
        WatchRequest.newBuilder()
            .setCreate(WatchCreate.newBuilder().setWatchId(id).setPrefix(prefix))
            .build());
  }
}
