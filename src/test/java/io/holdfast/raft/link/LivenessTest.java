package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.link.LinkWorld.End;
import io.holdfast.raft.link.LinkWorld.Opening;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests when a peer counts as lost, and when as ended. */
@Tag("slow")
class LivenessTest {

  private static final LinkSettings USUAL = LinkSettings.USUAL;

  private final LinkWorld world = new LinkWorld();
  private final FakePeer fake = new FakePeer();

  @AfterEach
  void close() {
    world.close();
    fake.close();
  }

  @Test
  void a_quiet_link_lives_on_by_its_pings() {
    LinkSettings quick =
        new LinkSettings(
            1 << 20, 1 << 20, 4, 4, 4, 1000, 2000, 20, 1000, 1000, 100, 1000, 1000, 10_000, 0);
    End one = world.open(Opening.of(1).settings(quick));
    End two = world.open(Opening.of(2).settings(quick));
    world.link(one, two);
    world.settle(2500);
    assertEquals(List.of(), one.told);
    assertEquals(List.of(), two.told);
  }

  @Test
  void a_peer_that_answers_no_ping_is_lost_but_not_gone() {
    End one = linkedWithFake();
    world.skip(USUAL.pingMs());
    world.settle(20);
    world.skip(USUAL.silenceMs() - USUAL.pingMs() - 500);
    world.settle(20);
    assertEquals(List.of(), one.told);
    fake.stopListening();
    world.skip(500);
    world.until("lost", () -> one.wasTold("lost 9"));
    world.settle(300);
    assertEquals(List.of("lost 9"), one.told);
  }

  @Test
  void a_long_pause_of_this_process_is_no_silence_of_the_peer() {
    End one = linkedWithFake();
    world.skip(10 * USUAL.silenceMs());
    world.settle(20);
    assertEquals(List.of(), one.told);
  }

  @Test
  void a_dialer_that_sends_no_ping_is_closed() {
    End one = world.open(1);
    End two = world.open(2);
    two.links().keep(List.of(one.peer()));
    world.until("linked", () -> one.established() == 1);
    world.leave(two);
    world.skip(USUAL.inboundSilenceMs() - 500);
    world.settle(20);
    assertEquals(List.of(), one.told);
    world.skip(500);
    world.until("lost", () -> one.wasTold("lost 2"));
    world.settle(200);
    assertEquals(List.of("lost 2"), one.told);
  }

  @Test
  void a_handshake_that_does_not_come_is_not_waited_for() {
    End one = world.open(1);
    one.links().keep(List.of(fake.peer()));
    world.until("dialed", fake::accept);
    world.settle(20);
    world.skip(USUAL.handshakeTimeoutMs());
    world.until("dialed again", fake::accept);
    assertEquals(List.of(), one.told);
  }

  @Test
  void a_port_that_closes_after_its_connections_proves_the_end() {
    End one = linkedWithFake();
    world.settle(150);
    fake.hangUp();
    world.until("lost", () -> one.wasTold("lost 9"));
    world.until("probed", fake::accept);
    fake.hangUp();
    world.until("probed again", fake::accept);
    assertEquals(List.of("lost 9"), one.told);
    fake.close();
    world.until("gone", () -> one.wasTold("gone 9"));
    world.settle(200);
    assertEquals(List.of("lost 9", "gone 9"), one.told);
  }

  @Test
  void links_that_the_dead_dialed_are_lost_before_its_end() {
    End one = linkedWithFake();
    fake.dial(one.peer());
    world.until("linked both ways", () -> one.established() == 2);
    fake.stopListening();
    fake.hangUp();
    world.until("gone", () -> one.wasTold("gone 9"));
    assertEquals(List.of("lost 9", "lost 9", "gone 9"), one.told);
  }

  @Test
  void a_port_that_closes_long_after_a_loss_proves_nothing() {
    End one = linkedWithFake();
    fake.hangUp();
    world.until("lost", () -> one.wasTold("lost 9"));
    world.until("probed", fake::accept);
    world.skip(USUAL.goneWithinMs() + 1);
    fake.close();
    world.settle(300);
    assertEquals(List.of("lost 9"), one.told);
  }

  @Test
  void a_peer_that_breaks_the_format_is_lost_and_backed_off_from() {
    End one = linkedWithFake();
    fake.write(new byte[100]);
    world.until("lost", () -> one.wasTold("lost 9"));
    world.settle(USUAL.backoffMaxMs() / 4);
    assertEquals(false, fake.accept());
    world.skip(USUAL.backoffMaxMs());
    world.until("dialed again", fake::accept);
  }

  @Test
  void an_address_that_never_links_is_dialed_ever_more_seldom() {
    End one = world.open(1);
    one.links().keep(List.of(fake.peer()));
    assertTrue(dialsWithin(60_000) < 20, "a minute");
    assertTrue(dialsWithin(120_000) >= 2, "it is not forgotten");
  }

  @Test
  void an_address_that_never_linked_is_dialed_when_another_links() {
    End one = world.open(1);
    End two = world.open(2);
    one.links().keep(List.of(fake.peer()));
    dialsWithin(60_000);
    one.links().keep(List.of(fake.peer(), two.peer()));
    two.links().keep(List.of(one.peer()));
    world.until("dialed with the other", fake::accept);
  }

  /** The number of times that the fake is dialed, and hangs up, in this time. */
  private int dialsWithin(long ms) {
    int dials = 0;
    for (long passed = 0; passed < ms; passed += 500) {
      world.skip(500);
      for (int i = 0; i < 5; i++) { // what is under way comes to its end
        world.settle(1);
        if (fake.accept()) {
          dials++;
          fake.hangUp();
        }
      }
    }
    return dials;
  }

  @Test
  void a_peer_that_sends_the_impossible_loses_its_link() {
    End one = world.open(1);
    End two = world.open(2);
    world.link(one, two);
    one.believeNothing();
    two.links().send(TcpLinksTest.append(two, one, 1, 10));
    world.until("the link is ended", () -> two.wasTold("lost 1"));
    assertEquals(List.of(), one.received);
  }

  @Test
  void another_member_at_the_address_is_not_taken_for_the_peer() {
    End one = world.open(1);
    one.links().keep(List.of(new Peer(new MemberId(8), fake.peer().address())));
    world.until("dialed", fake::accept);
    fake.welcome();
    world.settle(50);
    assertEquals(0, one.established());
  }

  private End linkedWithFake() {
    End one = world.open(1);
    one.links().keep(List.of(fake.peer()));
    world.until("dialed", fake::accept);
    fake.welcome();
    world.until("linked", () -> one.established() == 1);
    return one;
  }
}
