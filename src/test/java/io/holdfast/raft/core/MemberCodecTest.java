package io.holdfast.raft.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes stand in logs and snapshots, and are read for ever. */
class MemberCodecTest {

  private static final List<Member> ROWS =
      List.of(
          Member.voter(new MemberId(Long.MAX_VALUE), "höst:1").withPriority(7),
          Member.witness(new MemberId(2), "b".repeat(Member.MAX_ADDRESS_LENGTH)),
          Member.learner(new MemberId(3), ""));

  @Test
  void members_are_read_back_as_written() {
    Configuration joint = new Configuration(ROWS, List.of(Member.voter(new MemberId(9), "gone:1")));
    assertEquals(joint, MemberCodec.configuration(MemberCodec.encode(joint)));
    Formation formation = new Formation(-5, 48, 77, ROWS);
    assertEquals(formation, MemberCodec.formation(MemberCodec.encode(formation)));
  }

  @Test
  void the_bytes_are_those_of_the_first_version() {
    Member voter = Member.voter(new MemberId(1), "a:1").withPriority(2);
    Member witness = Member.witness(new MemberId(2), "");
    Member learner = Member.learner(new MemberId(258), "\u00fc");
    String voterBytes = "0000000000000001" + "01" + "02" + "0003" + "613a31";
    String witnessBytes = "0000000000000002" + "02" + "00" + "0000";
    String learnerBytes = "0000000000000102" + "03" + "00" + "0002" + "c3bc";
    Configuration joint = new Configuration(List.of(voter, witness, learner), List.of(voter));
    assertEquals(
        "01" + "03" + voterBytes + witnessBytes + learnerBytes + "01" + voterBytes,
        HexFormat.of().formatHex(MemberCodec.encode(joint)));
    assertEquals(
        "01" + "0000000000000007" + "00000030" + "0000000000000009" + "01" + voterBytes,
        HexFormat.of().formatHex(MemberCodec.encode(new Formation(7, 48, 9, List.of(voter)))));
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
