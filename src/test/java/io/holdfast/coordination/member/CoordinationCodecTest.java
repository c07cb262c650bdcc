package io.holdfast.coordination.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.member.CoordinationCodec.Entry;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.fixtures.Seeds;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoordinationCodecTest {

  /** A line for each command of any release. None is ever changed. */
  private static final Path GOLDEN = Path.of("src/test/resources/golden/coordination/log-1.txt");

  private static final byte CODE = CoordinationMachine.CODE;
  private static final SessionId SESSION = new SessionId(1L << 47 | 5);
  private static final SessionId OTHER = new SessionId(1L << 47 | 9);
  private static final ShardId SHARD = ShardId.of(47);
  private static final Epoch EPOCH = new Epoch(1L << 62);

  private static final List<CoordinationCommand> COMMANDS =
      List.of(
          new CoordinationCommand.ForgetMember(new NodeId(0x1234_5678_9abc_def0L)),
          new CoordinationCommand.OpenSession(
              new NodeId(Long.MAX_VALUE),
              3,
              "akka://holdfast@10.0.0.1:2552",
              -7,
              Set.of(NodeRole.values()),
              2_000,
              new ShardTerms(48, 1)),
          new CoordinationCommand.RenewSession(SESSION, 1L << 40),
          new CoordinationCommand.CloseSession(SESSION),
          new CoordinationCommand.ExpireSession(SESSION, 0),
          new CoordinationCommand.ReportGone(SESSION, OTHER, 8),
          new CoordinationCommand.ExpireEarly(OTHER, 8),
          new CoordinationCommand.AcquireShard(SESSION, SHARD, 11, new ShardTerms(1_000, 2)),
          new CoordinationCommand.ReleaseShard(SESSION, SHARD, EPOCH),
          new CoordinationCommand.TakeTokenBlock(SESSION, ShardId.of(0), EPOCH),
          new CoordinationCommand.FormCluster(SESSION, 12),
          new CoordinationCommand.MarkJoined(SESSION, new FormationId(1L << 47 | 6)),
          new CoordinationCommand.MarkCertain(SHARD, 1L << 47 | 8),
          new CoordinationCommand.ReportReachability(SESSION, Set.of(OTHER)),
          new CoordinationCommand.ReportReachability(SESSION, Set.of()),
          new CoordinationCommand.Expel(Set.of(OTHER, SESSION)),
          new CoordinationCommand.RaiseGeneration(2),
          new CoordinationCommand.AnnounceEndpoint(SESSION, "node1.example:7400"),
          new CoordinationCommand.OpenSession(
              new NodeId(5),
              6,
              "akka://holdfast@10.0.0.1:2552",
              7,
              Set.of(NodeRole.VOTER, NodeRole.SHARD_HOST),
              2_000,
              new ShardTerms(48, 1),
              1L << 35));

  private static final List<Entry> EXAMPLES =
      COMMANDS.stream().map(command -> new Entry(0xfedcba9876543210L, 11, command)).toList();

  @Test
  void an_entry_is_written_as_was_promised() throws IOException {
    List<String> lines =
        EXAMPLES.stream()
            .map(entry -> HexFormat.of().formatHex(CoordinationCodec.encode(CODE, entry)))
            .toList();
    if (Boolean.getBoolean("rewrite")) {
      Files.write(GOLDEN, lines);
    }
    assertEquals(Files.readAllLines(GOLDEN), lines);
  }

  @Test
  void an_entry_of_any_release_is_read() throws IOException {
    List<Entry> read = new ArrayList<>();
    for (String line : Files.readAllLines(GOLDEN)) {
      read.add(CoordinationCodec.decode(HexFormat.of().parseHex(line)));
    }
    assertEquals(EXAMPLES, read);
  }

  @Test
  void every_command_that_is_written_has_a_line() {
    Set<Class<?>> written =
        COMMANDS.stream().map(CoordinationCommand::getClass).collect(Collectors.toSet());
    Set<Class<?>> all =
        Arrays.stream(CoordinationCommand.class.getPermittedSubclasses())
            .collect(Collectors.toSet());
    all.remove(CoordinationCommand.Found.class);
    all.remove(CoordinationCommand.Configure.class);
    assertEquals(all, written);
  }

  @Test
  void an_entry_of_the_log_itself_is_never_written() {
    for (CoordinationCommand told :
        List.of(
            new CoordinationCommand.Found(1, 1, List.of()),
            new CoordinationCommand.Configure(List.of()))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> CoordinationCodec.encode(CODE, new Entry(1, 1, told)));
    }
  }

  @Test
  void an_entry_begins_with_the_byte_that_names_coordination() {
    EXAMPLES.forEach(entry -> assertEquals(CODE, CoordinationCodec.encode(CODE, entry)[0]));
  }

  @Test
  void an_entry_that_makes_no_sense_is_refused() {
    byte[] nothing = {CODE};
    assertThrows(IllegalArgumentException.class, () -> CoordinationCodec.decode(nothing));
    Seeds.each(
        500,
        random -> {
          byte[] bytes =
              CoordinationCodec.encode(CODE, EXAMPLES.get(random.nextInt(EXAMPLES.size())));
          IntStream.range(0, 1 + random.nextInt(3))
              .forEach(i -> bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt());
          decodesOrRefuses(bytes);
          decodesOrRefuses(Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length)));
        });
  }

  private static void decodesOrRefuses(byte[] bytes) {
    try {
      CoordinationCodec.decode(bytes);
    } catch (IllegalArgumentException e) {
      // refused, as it must be
    }
  }
}
