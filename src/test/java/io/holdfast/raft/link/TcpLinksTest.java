package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.link.LinkWorld.End;
import io.holdfast.raft.link.LinkWorld.Opening;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpLinksTest {

  private final LinkWorld world = new LinkWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void every_message_arrives_as_it_was_in_both_directions() {
    End one = world.open(1);
    End two = world.open(2);
    world.link(one, two);
    Seeds.each(
        20,
        random -> {
          List<Message> there = new RandomMessages(random, one.id, two.id).oneOfEach();
          List<Message> back = new RandomMessages(random, two.id, one.id).oneOfEach();
          one.received.clear();
          two.received.clear();
          there.forEach(one.links()::send);
          back.forEach(two.links()::send);
          world.until("all arrived", () -> two.received.size() == 14 && one.received.size() == 14);
          assertEquals(there, two.received);
          assertEquals(back, one.received);
        });
  }

  @Test
  void messages_over_a_small_socket_arrive_whole_and_in_order() {
    LinkSettings tiny = LinkSettings.USUAL.withSocketBufferBytes(2048);
    End one = world.open(Opening.of(1).settings(tiny));
    End two = world.open(Opening.of(2).settings(tiny));
    world.link(one, two);
    SplittableRandom random = new SplittableRandom(1);
    List<Message> sent = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      Message message = append(one, two, i, random.nextInt(i % 10 == 0 ? 400_000 : 20_000));
      sent.add(message);
      one.links().send(message);
      if (i % 3 == 0) {
        one.links().flush();
      }
    }
    world.until("all arrived", () -> two.received.size() == sent.size());
    assertEquals(sent, two.received);
  }

  @Test
  void a_message_larger_than_a_batch_travels_alone() {
    End one = world.open(1);
    End two = world.open(2);
    world.link(one, two);
    List<Message> sent =
        List.of(
            append(one, two, 1, 10),
            append(one, two, 2, 9 << 20),
            append(one, two, 3, 5 << 20),
            append(one, two, 4, 5 << 20),
            append(one, two, 5, 10));
    sent.forEach(one.links()::send);
    world.until("all arrived", () -> two.received.size() == sent.size());
    assertEquals(sent, two.received);
  }

  @Test
  void a_message_that_finds_its_queue_full_is_dropped_and_counted() {
    End one = world.open(Opening.of(1).settings(LinkSettings.USUAL.withMaxQueueBytes(10_000)));
    End two = world.open(2);
    world.link(one, two);
    for (int i = 1; i <= 4; i++) {
      one.links().send(append(one, two, i, 4_000));
    }
    assertEquals(2, one.links().counters().droppedFull());
    world.until("the first two arrived", () -> two.received.size() == 2);
    one.links().send(append(one, two, 5, 4_000));
    world.until("there is room again", () -> two.received.size() == 3);
    assertEquals(append(one, two, 5, 4_000), two.received.get(2));
  }

  @Test
  void a_message_without_a_connection_is_dropped_and_counted() {
    End one = world.open(1);
    End two = world.open(2);
    one.links().keep(List.of(two.peer()));
    one.links().send(append(one, two, 1, 10));
    assertEquals(1, one.links().counters().droppedUnlinked());
    world.until("linked", () -> one.established() == 1);
    one.links().send(append(one, two, 2, 10));
    world.until("arrived", () -> two.received.size() == 1);
    assertEquals(List.of(append(one, two, 2, 10)), two.received);
  }

  @Test
  void a_peer_that_comes_back_on_its_port_is_linked_again() {
    End one = world.open(1);
    End two = world.open(2);
    world.link(one, two);
    int port = two.links().port();
    world.kill(two);
    world.until("the end is told", () -> one.wasTold("gone 2"));
    End again = world.open(Opening.of(2).incarnation(2).port(port));
    again.links().keep(List.of(one.peer()));
    world.until("linked again", () -> one.established() == 4 && again.established() == 2);
    one.links().send(append(one, again, 1, 10));
    world.until("arrived", () -> again.received.size() == 1);
  }

  @Test
  void a_dialer_is_answered_by_a_member_that_does_not_keep_it() {
    End one = world.open(1);
    int port = world.freePort();
    End unknown = world.open(Opening.of(2).port(port));
    unknown.links().keep(List.of(one.peer()));
    world.until("linked both ways", () -> one.established() == 2 && unknown.established() == 2);
    End other = world.open(3);
    one.links().keep(List.of(other.peer()));
    one.links().send(append(one, unknown, 1, 10));
    world.until("answered", () -> unknown.received.size() == 1);
    world.kill(unknown);
    world.until("let go", () -> one.wasTold("lost 2"));
    one.links().send(append(one, unknown, 2, 10));
    assertEquals(1, one.links().counters().droppedUnlinked());
  }

  @Test
  void the_end_of_a_process_is_told_once_and_after_its_losses() {
    End one = world.open(1);
    End two = world.open(2);
    world.link(one, two);
    world.kill(two);
    world.until("the end is told", () -> one.wasTold("gone 2"));
    world.settle(300);
    assertEquals(List.of("lost 2", "lost 2", "gone 2"), one.told);
  }

  @Test
  void a_loss_is_no_end_while_the_port_accepts() {
    End one = world.open(1);
    End two = world.open(2);
    world.link(one, two);
    two.links().belongTo(LinkWorld.CLUSTER + 1);
    world.until("the loss is told", () -> one.wasTold("lost 2"));
    world.settle(300);
    assertEquals(List.of("lost 2"), one.told);
  }

  @Test
  void a_peer_that_never_answered_is_not_told_to_be_gone() {
    End one = world.open(1);
    End two = world.open(2);
    one.links().keep(List.of(two.peer()));
    world.kill(two);
    world.settle(300);
    assertEquals(List.of(), one.told);
  }

  @Test
  void a_question_is_answered_and_needs_no_cluster() {
    End one = world.open(Opening.of(1).cluster(0));
    End two = world.open(Opening.of(2).cluster(0));
    List<Optional<byte[]>> answers = new ArrayList<>();
    one.links().ask(two.peer().address(), new byte[] {1, 2, 3}, answers::add);
    one.links().ask("127.0.0.1:1", new byte[] {1}, answers::add);
    one.links().ask("nobody", new byte[] {1}, answers::add);
    one.links().ask("localhost:" + two.links().port(), new byte[60_000], answers::add);
    assertEquals(0, answers.size());
    world.until("all answered", () -> answers.size() == 4);
    assertEquals(2, answers.stream().filter(Optional::isEmpty).count());
    byte[] shorter =
        answers.stream()
            .flatMap(Optional::stream)
            .filter(answer -> answer.length == 3)
            .findFirst()
            .orElseThrow();
    assertArrayEquals(new byte[] {2, 3, 4}, shorter);
    assertTrue(two.told.isEmpty());
  }

  static Message append(End from, End to, long index, int bytes) {
    byte[] payload = new byte[bytes];
    new SplittableRandom(index).nextBytes(payload);
    Entry entry = new Entry(1, index, EntryKind.PROPOSAL, payload);
    return new Message.AppendRequest(
        from.id, to.id, 1, index - 1, index == 1 ? 0 : 1, List.of(entry), 0, 0);
  }
}
