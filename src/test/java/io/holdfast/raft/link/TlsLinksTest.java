package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Certificates;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.link.LinkWorld.End;
import io.holdfast.raft.link.LinkWorld.Opening;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TlsLinksTest {

  private static final Certificates HERE = Certificates.make("ip:127.0.0.1");
  private static final Certificates STRANGE = Certificates.make("ip:127.0.0.1");
  private static final Certificates AWAY = Certificates.make("dns:elsewhere");

  private static final SSLContext OURS = HERE.trusting(HERE);
  private static final SSLContext OTHERS = STRANGE.trusting(STRANGE);
  private static final SSLContext CREDULOUS = STRANGE.trusting(HERE, STRANGE);
  private static final SSLContext ELSEWHERE = AWAY.trusting(AWAY);

  private final LinkWorld world = new LinkWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void messages_arrive_whole_and_in_order() {
    End one = world.open(secure(1, OURS));
    End two = world.open(secure(2, OURS));
    world.link(one, two);
    assertAllArrive(one, two);
  }

  @Test
  void messages_arrive_through_small_sockets() {
    LinkSettings tiny = LinkSettings.USUAL.withSocketBufferBytes(2048);
    End one = world.open(secure(1, OURS).settings(tiny));
    End two = world.open(secure(2, OURS).settings(tiny));
    world.link(one, two);
    assertAllArrive(one, two);
  }

  @Test
  void a_question_is_answered() {
    End one = world.open(secure(1, OURS));
    End two = world.open(secure(2, OURS));
    List<Optional<byte[]>> answers = new ArrayList<>();
    one.links().ask(two.peer().address(), new byte[60_000], answers::add);
    world.until("answered", () -> answers.size() == 1);
    assertEquals(60_000, answers.get(0).orElseThrow().length);
  }

  @Test
  void the_end_of_a_process_is_told() {
    End one = world.open(secure(1, OURS));
    End two = world.open(secure(2, OURS));
    world.link(one, two);
    world.kill(two);
    world.until("the end is told", () -> one.wasTold("gone 2"));
    assertEquals(List.of("lost 2", "lost 2", "gone 2"), one.told);
  }

  @Test
  void a_certificate_of_another_authority_is_refused() {
    assertRefusedAndHarmless(secure(3, OTHERS));
  }

  @Test
  void a_foreign_certificate_is_refused_though_its_owner_trusts_us() {
    assertRefusedAndHarmless(secure(3, CREDULOUS));
  }

  @Test
  void a_plain_member_is_refused() {
    assertRefusedAndHarmless(Opening.of(3));
  }

  @Test
  void a_certificate_for_another_host_is_refused_if_verified() {
    End one = world.open(Opening.of(1).security(new LinkSecurity(ELSEWHERE, true)));
    End two = world.open(Opening.of(2).security(new LinkSecurity(ELSEWHERE, false)));
    one.links().keep(List.of(two.peer()));
    two.links().keep(List.of(one.peer()));
    world.until("the lenient one is linked", () -> one.established() == 1);
    world.settle(300);
    assertEquals(1, one.established());
    assertEquals(1, two.established());
  }

  /** A member that is not trusted dials two members that trust each other, and they dial it. */
  private void assertRefusedAndHarmless(Opening strange) {
    End one = world.open(secure(1, OURS));
    End two = world.open(secure(2, OURS));
    End other = world.open(strange);
    other.links().keep(List.of(one.peer(), two.peer()));
    one.links().keep(List.of(two.peer(), other.peer()));
    two.links().keep(List.of(one.peer(), other.peer()));
    world.until("linked", () -> one.established() == 2 && two.established() == 2);
    assertAllArrive(one, two);
    world.settle(300);
    assertEquals(0, other.established());
    assertEquals(2, one.established());
    assertTrue(one.told.isEmpty() && two.told.isEmpty() && other.told.isEmpty());
  }

  private void assertAllArrive(End one, End two) {
    SplittableRandom random = new SplittableRandom(1);
    List<Message> sent = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      int bytes = random.nextInt(i % 10 == 0 ? 400_000 : 20_000);
      sent.add(TcpLinksTest.append(one, two, i, bytes));
      one.links().send(sent.get(i - 1));
    }
    world.until("all arrived", () -> two.received.size() == sent.size());
    assertEquals(sent, two.received);
    assertArrayEquals(new Object[0], one.told.toArray());
  }

  private static Opening secure(long id, SSLContext context) {
    return Opening.of(id).security(new LinkSecurity(context, true));
  }
}
