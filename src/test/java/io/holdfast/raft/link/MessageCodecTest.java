package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.Seeds;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MessageCodecTest {

  private static final MemberId FROM = new MemberId(7);
  private static final MemberId TO = new MemberId(8);

  private final MessageDecoder decoder = new MessageDecoder(FROM, TO);

  @Test
  void every_message_comes_back_as_it_was() {
    Seeds.each(
        200,
        random -> {
          for (Message message : new RandomMessages(random, FROM, TO).oneOfEach()) {
            ByteBuffer bytes = encode(message);
            assertTrue(bytes.remaining() <= MessageEncoder.size(message), message::toString);
            assertEquals(message, decoder.next(bytes));
            assertEquals(0, bytes.remaining(), message::toString);
          }
        });
  }

  @Test
  void every_type_of_message_has_a_number_of_its_own() {
    Seeds.each(
        1,
        random -> {
          Set<Byte> numbers = new HashSet<>();
          List<Message> messages = new RandomMessages(random, FROM, TO).oneOfEach();
          messages.forEach(message -> numbers.add(MessageType.of(message)));
          assertEquals(Message.class.getPermittedSubclasses().length, numbers.size());
        });
  }

  @Test
  void a_message_that_ends_early_is_refused_wherever_it_ends() {
    Seeds.each(
        20,
        random -> {
          for (Message message : new RandomMessages(random, FROM, TO).oneOfEach()) {
            ByteBuffer bytes = encode(message);
            for (int length = 0; length < bytes.limit(); length++) {
              ByteBuffer cut = bytes.duplicate().limit(length);
              assertThrows(
                  IllegalArgumentException.class, () -> decoder.next(cut), message::toString);
            }
          }
        });
  }

  @Test
  void changed_bytes_are_another_message_or_refused() {
    Seeds.each(
        50,
        random -> {
          for (Message message : new RandomMessages(random, FROM, TO).oneOfEach()) {
            ByteBuffer bytes = encode(message);
            for (int i = 0; i < bytes.limit(); i++) {
              ByteBuffer changed = ByteBuffer.allocate(bytes.limit()).put(bytes.duplicate()).flip();
              changed.put(i, (byte) random.nextInt(256));
              try {
                decoder.next(changed);
              } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage() != null);
              }
            }
          }
        });
  }

  @Test
  void a_count_is_not_believed_before_its_bytes_are_there() {
    ByteBuffer append =
        encode(new Message.AppendRequest(FROM, TO, 1, 0, 0, List.of(), 0, 0))
            .putInt(41, Integer.MAX_VALUE);
    assertThrows(IllegalArgumentException.class, () -> decoder.next(append));
    ByteBuffer forward =
        encode(new Message.Forward(FROM, TO, 1, 1, List.of(Bytes.of(new byte[3]))))
            .putInt(21, Integer.MAX_VALUE);
    assertThrows(IllegalArgumentException.class, () -> decoder.next(forward));
  }

  @Test
  void entries_that_do_not_follow_each_other_are_not_written() {
    Entry third = new Entry(1, 3, EntryKind.NOOP, new byte[0]);
    Message gap = new Message.AppendRequest(FROM, TO, 1, 1, 1, List.of(third), 0, 0);
    assertThrows(IllegalArgumentException.class, () -> MessageEncoder.size(gap));
  }

  static ByteBuffer encode(Message message) {
    ByteBuffer out = ByteBuffer.allocate((int) MessageEncoder.size(message));
    MessageEncoder.put(out, message);
    return out.flip();
  }
}
