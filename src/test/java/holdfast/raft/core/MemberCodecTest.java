package holdfast.raft.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberCodecTest {

  private static final List<Member> ROWS =
      List.of(
          Member.voter(new MemberId(Long.MAX_VALUE), "höst:1").withPriority(7),
          Member.witness(new MemberId(2), "b".repeat(Member.MAX_ADDRESS_LENGTH)),
          Member.learner(new MemberId(3), ""));

  @Test
  void what_is_written_is_read_back() {
    Configuration joint = new Configuration(ROWS, List.of(Member.voter(new MemberId(9), "gone:1")));
    assertEquals(joint, MemberCodec.configuration(MemberCodec.encode(joint)));
    Formation formation = new Formation(-5, 48, 77, ROWS);
    assertEquals(formation, MemberCodec.formation(MemberCodec.encode(formation)));
  }

  @Test
  void an_unknown_format_and_bytes_too_many_are_refused() {
    byte[] bytes = MemberCodec.encode(Configuration.of(ROWS));
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThrows(IllegalArgumentException.class, () -> MemberCodec.configuration(longer));
    bytes[0] = 9;
    assertThrows(IllegalArgumentException.class, () -> MemberCodec.configuration(bytes));
  }
}
