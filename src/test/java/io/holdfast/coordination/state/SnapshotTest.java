package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The state as bytes, there and back. */
class SnapshotTest {

  @Test
  void equal_logs_give_equal_bytes_and_bytes_give_equal_states() {
    Seeds.each(
        300,
        random -> {
          List<CoordinationCommand> commands = commands(random);
          CoordinationState one = new CoordinationState();
          CoordinationState other = new CoordinationState();
          int copied = random.nextInt(commands.size());
          for (int i = 0; i < commands.size(); i++) {
            if (i == copied) {
              other = CoordinationState.readFrom(other.toBytes());
            }
            assertEquals(one.apply(i + 1, commands.get(i)), other.apply(i + 1, commands.get(i)));
          }
          assertArrayEquals(one.toBytes(), other.toBytes());
          assertEquals(one.sessions(), other.sessions());
          assertEquals(one.members(), other.members());
        });
  }

  @Test
  void the_bytes_are_these_for_ever() {
    assertEquals(bytes("04", "0003633a33"), HexFormat.of().formatHex(example().toBytes()));
  }

  @Test
  void a_snapshot_without_endpoints_is_read() {
    CoordinationState read =
        CoordinationState.readFrom(HexFormat.of().parseHex(bytes("01", /* endpoint= */ "")));
    assertEquals("", read.session(id(1)).orElseThrow().endpoint());
    assertEquals(withoutCapacity("0000"), HexFormat.of().formatHex(read.toBytes()));
  }

  @Test
  void a_snapshot_from_before_services_is_read() {
    String before = bytes("02", "0003633a33");
    byte[] now = CoordinationState.readFrom(HexFormat.of().parseHex(before)).toBytes();
    assertEquals(withoutCapacity("0003633a33"), HexFormat.of().formatHex(now));
  }

  @Test
  void a_snapshot_from_before_capacities_is_read() {
    CoordinationState read =
        CoordinationState.readFrom(HexFormat.of().parseHex(bytes("03", "0003633a33")));
    assertEquals(Long.MAX_VALUE, read.stateBound());
    assertEquals(withoutCapacity("0003633a33"), HexFormat.of().formatHex(read.toBytes()));
  }

  @Test
  void services_are_written_in_the_order_they_began() {
    AppliedLog log = AppliedLog.founded(1);
    log.openService(9);
    log.openService(3);
    CoordinationState read = CoordinationState.readFrom(log.state.toBytes());
    assertArrayEquals(log.state.toBytes(), read.toBytes());
    String ordered = "00000002" + "0000000000000009" + "0000000000000003";
    assertTrue(HexFormat.of().formatHex(read.toBytes()).contains(ordered));
  }

  private static CoordinationState example() {
    CoordinationState state = new CoordinationState();
    state.apply(
        1,
        new CoordinationCommand.Found(
            7, 1, List.of(new ConfiguredMember(new NodeId(1), "a:1", Set.of(NodeRole.VOTER)))));
    state.apply(
        2,
        new CoordinationCommand.OpenSession(
            new NodeId(1),
            3,
            "b:2",
            9,
            Set.of(NodeRole.SHARD_HOST),
            2_000,
            ShardTerms.of(1),
            /* stateCapacity= */ 0x4000));
    state.apply(3, new CoordinationCommand.RenewSession(id(1), 4));
    state.apply(4, new CoordinationCommand.AcquireShard(id(1), ShardId.of(0), 5, ShardTerms.of(1)));
    state.apply(5, new CoordinationCommand.AnnounceEndpoint(id(1), "c:3"));
    return state;
  }

  private static final String CAPACITY = "00000001" + "0000000000000001" + "0000000000004000";

  /** As it is written now, with no member that has said what it has room for. */
  private static String withoutCapacity(String endpoint) {
    return bytes("04", endpoint).replace(CAPACITY, "00000000");
  }

  private static String bytes(String format, String endpoint) {
    return String.join(
        "",
        format + "0000000000000005", // index
        "0000000000000007"
            + "0000000000000000"
            + "0000000000000000", // cluster, formation, joinings
        "00000001" + "0000000000000002" + "0000000000010000", // generation, counters
        "00000001" + "0000000000000001" + "0003613a31" + "01", // configured
        "00000001" + "0000000000000001" + "0000000000000003", // incarnations
        format.compareTo("03") < 0 ? "" : "00000000", // services
        format.equals("04") ? CAPACITY : "",
        "00000001" + "0000800000000001" + "0000000000000001", // sessions
        "0000000000000003" + "0003623a32" + "0000000000000009",
        "08" + "000007d0" + "0000000000000004" + "0000000000000000" + "00000000",
        endpoint,
        "00000001" + "0000800000000002" + "0000800000000001", // shards
        "0000800000000001" + "0000000000000005" + "0000000000000000" + "00000000",
        "00000000"); // whose process seems gone
  }

  @Test
  void a_set_is_written_in_order() {
    AppliedLog log = AppliedLog.founded(1);
    List<SessionId> all = new ArrayList<>();
    for (int member = 1; member <= 9; member++) {
      all.add(log.open(member, 1));
    }
    log.apply(new CoordinationCommand.ReportReachability(all.get(0), Set.copyOf(all)));
    StringBuilder ordered = new StringBuilder();
    for (SessionId other : all.subList(1, all.size())) {
      ordered.append(HexFormat.of().toHexDigits(other.value()));
    }
    assertTrue(HexFormat.of().formatHex(log.state.toBytes()).contains(ordered));
  }

  @Test
  void damage_is_refused() {
    AppliedLog log = AppliedLog.founded(3);
    log.open(1, 1);
    byte[] bytes = log.state.toBytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> CoordinationState.readFrom(cut));
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThrows(IllegalArgumentException.class, () -> CoordinationState.readFrom(longer));
    byte[] later = bytes.clone();
    later[0] = 5;
    assertThrows(IllegalArgumentException.class, () -> CoordinationState.readFrom(later));
  }

  private static SessionId id(long counter) {
    return new SessionId((1L << 47) | counter);
  }

  private static List<CoordinationCommand> commands(SplittableRandom random) {
    List<CoordinationCommand> commands = new ArrayList<>();
    commands.add(new CoordinationCommand.Found(1, AppliedLog.SHARDS, List.of()));
    for (int i = 0; i < 100; i++) {
      commands.add(command(random));
    }
    return commands;
  }

  private static CoordinationCommand command(SplittableRandom random) {
    SessionId session = id(1 + random.nextInt(20));
    SessionId other = id(1 + random.nextInt(20));
    ShardId shard = ShardId.of(random.nextInt(8));
    NodeId member = new NodeId(1 + random.nextInt(5));
    Epoch epoch = new Epoch(id(random.nextInt(30)).value());
    long small = random.nextInt(4);
    return switch (random.nextInt(17)) {
      case 0, 1, 2 -> AppliedLog.opening(member.value(), 1 + random.nextInt(9));
      case 3, 4, 5 -> new CoordinationCommand.AcquireShard(session, shard, small, AppliedLog.TERMS);
      case 6 -> new CoordinationCommand.ReleaseShard(session, shard, epoch);
      case 7 -> new CoordinationCommand.RenewSession(session, small);
      case 8 -> new CoordinationCommand.ExpireEarly(session, small);
      case 9 -> new CoordinationCommand.FormCluster(session, small);
      case 10, 11 -> new CoordinationCommand.ReportReachability(session, Set.of(other, id(21)));
      case 12 -> new CoordinationCommand.Expel(Set.of(session));
      case 13 ->
          new CoordinationCommand.Configure(
              List.of(new ConfiguredMember(member, "host:1", Set.of(NodeRole.WITNESS))));
      case 14 -> new CoordinationCommand.MarkJoined(session, new FormationId(id(small).value()));
      case 15 -> new CoordinationCommand.ReportGone(session, other, small);
      default -> new CoordinationCommand.ForgetMember(member);
    };
  }
}
