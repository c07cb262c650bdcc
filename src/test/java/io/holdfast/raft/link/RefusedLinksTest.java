package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.link.LinkWorld.End;
import io.holdfast.raft.link.LinkWorld.Opening;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which connections are refused, and that they harm no other link. */
class RefusedLinksTest {

  /** Kind, magic, version, purpose, cluster, group and member come before it. */
  private static final int INCARNATION_AT = 1 + 8 + 2 + 1 + 8 + 4 + 8;

  private final LinkWorld world = new LinkWorld();
  private final End one = world.open(1);
  private final End two = world.open(2);
  private final List<SocketChannel> sockets = new ArrayList<>();

  @BeforeEach
  void link() {
    world.link(one, two);
  }

  @AfterEach
  void theLinkIsUnharmed() {
    world.until("nobody else is let in", () -> one.established() == 2);
    one.links().send(TcpLinksTest.append(one, two, 1, 10));
    two.links().send(TcpLinksTest.append(two, one, 1, 10));
    world.until("both arrived", () -> one.received.size() == 1 && two.received.size() == 1);
    assertEquals(List.of(), one.told);
    sockets.forEach(
        socket -> {
          try {
            socket.close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    world.close();
  }

  @Test
  void a_member_of_another_cluster_is_refused() {
    assertEquals(Refused.CLUSTER, refusalOf(hello(78, 0, 1)));
    assertRefused(Opening.of(3).cluster(78));
  }

  @Test
  void a_member_of_no_cluster_is_refused_and_does_not_even_try() {
    assertEquals(Refused.CLUSTER, refusalOf(hello(0, 0, 1)));
    End other = world.open(Opening.of(3).cluster(0));
    other.links().keep(List.of(one.peer()));
    world.settle(100);
    assertEquals(0, other.links().counters().refused());
  }

  @Test
  void another_group_is_refused() {
    assertEquals(Refused.GROUP, refusalOf(hello(LinkWorld.CLUSTER, 5, 1)));
    assertRefused(Opening.of(3).group(5));
  }

  @Test
  void a_hello_to_another_member_is_refused() {
    assertEquals(Refused.MEMBER, refusalOf(hello(LinkWorld.CLUSTER, 0, 9)));
  }

  @Test
  void another_version_is_refused() {
    ByteBuffer hello = ByteBuffer.wrap(hello(LinkWorld.CLUSTER, 0, 1));
    hello.putShort(9, (short) 2);
    assertEquals(Refused.VERSION, refusalOf(hello.array()));
  }

  @Test
  void a_member_without_a_cluster_admits_who_names_it() {
    End fresh = world.open(Opening.of(4).cluster(0));
    End dialer = world.open(5);
    dialer.links().keep(List.of(fresh.peer()));
    world.until("admitted", () -> fresh.established() == 1 && dialer.established() == 1);
    fresh.links().belongTo(LinkWorld.CLUSTER + 1);
    world.until("of another cluster now", () -> dialer.wasTold("lost 4"));
    world.until("refused", () -> dialer.links().counters().refused() == 1);
  }

  @Test
  void an_incarnation_out_of_reach_shuts_nobody_out() {
    End fresh = world.open(4);
    byte[] hello = hello(LinkWorld.CLUSTER, 0, 4);
    ByteBuffer implausible = ByteBuffer.wrap(hello.clone()).putLong(INCARNATION_AT, Long.MAX_VALUE);
    assertClosed(dial(fresh), FakePeer.frame(implausible.array()));
    write(dial(fresh), FakePeer.frame(hello));
    world.until("the member is let in", () -> fresh.established() == 1);
  }

  @Test
  void an_earlier_incarnation_is_refused_and_a_later_replaces_it() {
    End fresh = world.open(4);
    End second = world.open(Opening.of(5).incarnation(2));
    second.links().keep(List.of(fresh.peer()));
    world.until("the second life is linked", () -> fresh.established() == 1);
    End first = world.open(Opening.of(5).incarnation(1));
    first.links().keep(List.of(fresh.peer()));
    world.until("the first life is refused", () -> first.links().counters().refused() == 1);
    assertEquals(List.of(), fresh.told);
    End third = world.open(Opening.of(5).incarnation(3));
    third.links().keep(List.of(fresh.peer()));
    world.until("the third life is linked", () -> third.established() == 1);
    world.until("the second life is refused", () -> second.links().counters().refused() == 1);
    assertEquals(List.of("lost 5"), fresh.told);
  }

  @Test
  void a_later_incarnation_ends_the_link_to_the_earlier_one() {
    End fresh = world.open(4);
    End first = world.open(Opening.of(5).incarnation(1));
    fresh.links().keep(List.of(first.peer()));
    world.until("linked", () -> fresh.established() == 1);
    End second = world.open(Opening.of(5).incarnation(2));
    second.links().keep(List.of(fresh.peer()));
    world.until("the link to the first life ends", () -> fresh.wasTold("lost 5"));
  }

  @Test
  void random_bytes_close_their_connection_only() {
    Seeds.each(
        100,
        random -> {
          byte[] bytes = new byte[1 + random.nextInt(3000)];
          random.nextBytes(bytes);
          bytes[0] |= 1;
          assertClosed(dial(), bytes);
        });
  }

  @Test
  void a_frame_with_random_content_closes_its_connection_only() {
    Seeds.each(
        100,
        random -> {
          byte[] body = new byte[1 + random.nextInt(3000)];
          random.nextBytes(body);
          assertClosed(dial(), FakePeer.frame(body));
        });
  }

  @Test
  void messages_with_random_content_close_their_connection_only() {
    End fresh = world.open(4);
    Seeds.each(
        50,
        random -> {
          SocketChannel socket = dial(fresh);
          write(socket, FakePeer.frame(hello(LinkWorld.CLUSTER, 0, 4)));
          byte[] body = new byte[2 + random.nextInt(100)];
          random.nextBytes(body);
          body[0] = FrameFormat.BATCH;
          body[1] = (byte) (20 + random.nextInt(100));
          assertClosed(socket, FakePeer.frame(body));
        });
  }

  @Test
  void a_frame_beyond_the_bound_closes_its_connection_at_once() {
    assertClosed(dial(), header(FrameFormat.MAX_GREETING_BYTES + 1));
    assertClosed(dial(), header(-1));
    assertClosed(dial(), header(0));
    End fresh = world.open(4);
    SocketChannel admitted = dial(fresh);
    write(admitted, FakePeer.frame(hello(LinkWorld.CLUSTER, 0, 4)));
    assertClosed(admitted, header(FrameFormat.MAX_MESSAGE_BYTES + 1));
    assertTrue(fresh.wasTold("lost 99"));
  }

  @Test
  void incomplete_frames_take_no_room_from_a_whole_one() {
    End fresh = world.open(Opening.of(4).settings(LinkSettings.USUAL.withMaxInputBytes(1 << 20)));
    List<SocketChannel> slow = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      SocketChannel socket = dial(fresh);
      write(socket, FakePeer.frame(hello(LinkWorld.CLUSTER, 0, 4, 100 + i)));
      write(socket, header(FrameFormat.MAX_MESSAGE_BYTES));
      writeAll(socket, new byte[300_000]); // waits in half a MiB
      slow.add(socket);
    }
    End member = world.open(5);
    member.links().keep(List.of(fresh.peer()));
    world.until("the member is let in", () -> member.established() == 1);
    member.links().send(TcpLinksTest.append(member, fresh, 1, 300_000));
    world.until("a large message arrives", () -> fresh.received.size() == 1);
    assertTrue(fresh.told.size() >= 6, fresh.told::toString); // there is room for two
    readToTheEnd(slow.get(0));
  }

  @Test
  void a_frame_larger_than_the_room_closes_its_connection_at_once() {
    LinkSettings patient =
        new LinkSettings(
            1, 1 << 20, 8, 8, 1, 1000, 600_000, 20, 1000, 1000, 1000, 600_000, 600_000, 0, 0);
    End fresh = world.open(Opening.of(4).settings(patient));
    SocketChannel socket = dial(fresh);
    write(socket, FakePeer.frame(hello(LinkWorld.CLUSTER, 0, 4)));
    write(socket, header(FrameFormat.MAX_MESSAGE_BYTES));
    writeAll(socket, new byte[2 << 20]);
    world.until("it is ended", () -> fresh.wasTold("lost 99"));
  }

  @Test
  void a_changed_byte_closes_its_connection_only() {
    byte[] hello = FakePeer.frame(hello(LinkWorld.CLUSTER, 0, 1));
    for (int i = 4; i < hello.length; i++) {
      byte[] changed = hello.clone();
      changed[i] ^= 4;
      assertClosed(dial(), changed);
    }
  }

  @Test
  void messages_before_the_handshake_close_the_connection() {
    assertClosed(dial(), FakePeer.frame(new byte[] {FrameFormat.BATCH, MessageType.HAND_OVER}));
    assertClosed(dial(), FakePeer.frame(new byte[] {FrameFormat.PING}));
  }

  @Test
  void a_second_question_closes_the_connection() {
    byte[] hello = GreetingCodec.encode(new Hello(true, 0, 0, new MemberId(99), 1, 0, "strange:1"));
    byte[] question = FakePeer.frame(GreetingCodec.wrap(FrameFormat.QUESTION, new byte[100]));
    SocketChannel socket = dial();
    write(socket, FakePeer.frame(hello));
    write(socket, question);
    write(socket, question);
    ByteBuffer answers = readToTheEnd(socket);
    assertEquals(question.length, answers.limit());
  }

  @Test
  void a_silent_connection_is_closed_in_time() {
    SocketChannel silent = dial();
    world.settle(20);
    world.skip(LinkSettings.USUAL.handshakeTimeoutMs());
    assertClosed(silent, new byte[0]);
  }

  @Test
  void many_pending_handshakes_keep_no_member_out() {
    LinkSettings patient =
        new LinkSettings(1, 1, 8, 8, 1, 1000, 600_000, 20, 1000, 1000, 1000, 3000, 5000, 0, 0);
    End popular = world.open(Opening.of(4).settings(patient));
    for (int i = 0; i < 2 * patient.maxPendingHandshakes(); i++) {
      dial(popular);
      world.settle(1);
    }
    End member = world.open(5);
    member.links().keep(List.of(popular.peer()));
    world.until("the member is let in", () -> popular.established() == 1);
  }

  private void assertRefused(Opening opening) {
    End other = world.open(opening);
    other.links().keep(List.of(one.peer()));
    world.until("refused", () -> other.links().counters().refused() == 1);
    assertEquals(0, other.established());
  }

  private byte refusalOf(byte[] hello) {
    SocketChannel socket = dial();
    write(socket, FakePeer.frame(hello));
    ByteBuffer answer = readToTheEnd(socket);
    assertEquals(FrameFormat.REFUSED, answer.get(FrameFormat.HEADER_BYTES));
    return answer.get(FrameFormat.HEADER_BYTES + 1);
  }

  private void assertClosed(SocketChannel socket, byte[] bytes) {
    write(socket, bytes);
    readToTheEnd(socket);
  }

  private ByteBuffer readToTheEnd(SocketChannel socket) {
    ByteBuffer in = ByteBuffer.allocate(FrameFormat.MAX_GREETING_BYTES);
    world.until(
        "the connection is closed",
        () -> {
          try {
            return socket.read(in) < 0;
          } catch (IOException e) {
            return true;
          }
        });
    return in.flip();
  }

  private SocketChannel dial() {
    return dial(one);
  }

  private SocketChannel dial(End end) {
    try {
      SocketChannel socket =
          SocketChannel.open(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), end.links().port()));
      socket.configureBlocking(false);
      sockets.add(socket);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(SocketChannel socket, byte[] bytes) {
    try {
      assertEquals(bytes.length, socket.write(ByteBuffer.wrap(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeAll(SocketChannel socket, byte[] bytes) {
    ByteBuffer out = ByteBuffer.wrap(bytes);
    world.until(
        "all is sent, or nobody takes it",
        () -> {
          try {
            socket.write(out);
            return !out.hasRemaining();
          } catch (IOException e) {
            return true;
          }
        });
  }

  private static byte[] hello(long cluster, int group, long wanted) {
    return hello(cluster, group, wanted, 99);
  }

  private static byte[] hello(long cluster, int group, long wanted, long from) {
    return GreetingCodec.encode(
        new Hello(false, cluster, group, new MemberId(from), 1, wanted, "strange:1"));
  }

  private static byte[] header(int length) {
    return ByteBuffer.allocate(FrameFormat.HEADER_BYTES).putInt(length).array();
  }
}
