package io.holdfast.simulation.raft;

import io.holdfast.fixtures.Transcript;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays {@code scenarios/raft}: what members write, send, apply and answer, step by step. */
class RaftScenarioTest {

  static List<Path> scenarios() {
    return Transcript.in("raft");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void members_do_as_their_scenario_says(Path scenario) {
    Transcript.play(scenario, new Interpreter()::run);
  }

  /**
   * Understands, a line each:
   *
   * <ul>
   *   <li>{@code append-bytes N}: how much an append message carries;
   *   <li>{@code cluster MEMBER…} and {@code join MEMBER…}, a member as {@code m1}, {@code
   *       m2:witness}, {@code m3:learner} or {@code m4/1} with a priority;
   *   <li>{@code due M}: its election timeout or heartbeat comes; {@code wait M… MS};
   *   <li>{@code deliver}: everything, until nothing is on its way; {@code step}: what is on its
   *       way now; {@code lose}: all that is;
   *   <li>{@code cut M…}: off from the others; {@code mend};
   *   <li>{@code propose M TEXT}, {@code read M}, {@code change M MEMBER…}, {@code hand-over M M};
   *   <li>{@code crash M}, {@code restart M}, {@code stall M}, {@code sync M}, {@code snapshot M
   *       TEXT}, {@code gone M M}: the first finds the second's process ended; {@code logs}.
   * </ul>
   */
  private static final class Interpreter {

    private static Settings settings(int maxAppendBytes) {
      return new Settings(
          500, // electionTimeoutMs
          100, // heartbeatMs
          1_000, // maxProposalBytes
          100, // maxPendingProposals
          100, // maxPendingReads
          100_000, // maxUncommittedBytes
          maxAppendBytes,
          4, // maxInflightAppends
          100_000, // maxApplyBytes
          8, // snapshotChunkBytes
          1, // retainedTail
          2, // caughtUpWithin
          false, // leaseReads
          20, // leaseMarginPercent
          true, // fastPath
          15); // fastPathStepMs
    }

    private final Map<MemberId, ScenarioMember> members = new TreeMap<>();
    private final Deque<Message> underWay = new ArrayDeque<>();
    private final Set<MemberId> cutOff = new HashSet<>();
    private final List<String> told = new ArrayList<>();
    private Settings settings = settings(1_000);
    private long nextId = 1;

    String run(String commands) {
      told.clear();
      commands.lines().forEach(line -> command(line.split(" ", -1)));
      return told.isEmpty() ? "nothing" : String.join("\n", told);
    }

    private void command(String[] words) {
      switch (words[0]) {
        case "append-bytes" -> settings = settings(Integer.parseInt(words[1]));
        case "cluster" -> found(rows(words, 1));
        case "join" -> rows(words, 1).forEach(row -> add(row.id()).start());
        case "due" -> at(words[1]).comesDue();
        case "wait" -> waits(words);
        case "deliver" -> deliver();
        case "step" -> step();
        case "lose" -> underWay.clear();
        case "cut" -> rows(words, 1).forEach(row -> cutOff.add(row.id()));
        case "mend" -> cutOff.clear();
        case "propose" -> propose(at(words[1]), words[2]);
        case "read" -> {
          long id = nextId++;
          at(words[1]).input(core -> core.read(id));
        }
        case "change" -> at(words[1]).input(core -> refused(core.changeMembers(rows(words, 2))));
        case "hand-over" ->
            at(words[1]).input(core -> refused(core.transferLeadership(member(words[2]).id())));
        case "crash" -> at(words[1]).crash();
        case "restart" -> at(words[1]).start();
        case "stall" -> at(words[1]).stall();
        case "sync" -> at(words[1]).sync();
        case "snapshot" -> at(words[1]).takeSnapshot(words[2]);
        case "gone" -> at(words[1]).input(core -> core.peerGone(member(words[2]).id()));
        case "logs" -> members.values().forEach(each -> told.add(each.log()));
        default -> throw new IllegalArgumentException("no command [" + words[0] + "]");
      }
    }

    private void found(List<Member> rows) {
      Formation formation = new Formation(7, 48, 0, rows);
      for (Member row : rows) {
        add(row.id()).start();
        at(row.id().toString()).input(core -> refused(core.form(formation)));
      }
    }

    private ScenarioMember add(MemberId id) {
      ScenarioMember member = new ScenarioMember(id, settings, told::add, this::send);
      members.put(id, member);
      return member;
    }

    private void waits(String[] words) {
      long ms = Long.parseLong(words[words.length - 1]);
      for (int i = 1; i < words.length - 1; i++) {
        at(words[i]).waits(ms);
      }
    }

    private void propose(ScenarioMember member, String text) {
      long id = nextId++;
      member.input(core -> core.propose(id, text.getBytes(StandardCharsets.UTF_8)));
    }

    private void send(Message message) {
      if (cutOff.contains(message.from()) == cutOff.contains(message.to())) {
        underWay.add(message);
      }
    }

    private void deliver() {
      for (int i = 0; !underWay.isEmpty(); i++) {
        if (i > 1_000) {
          throw new IllegalStateException("messages never end");
        }
        deliverNext();
      }
    }

    private void step() {
      for (int left = underWay.size(); left > 0; left--) {
        deliverNext();
      }
    }

    private void deliverNext() {
      Message next = underWay.remove();
      at(next.to().toString()).input(core -> core.receive(next));
    }

    private void refused(Optional<RaftRefusal> refusal) {
      refusal.ifPresent(reason -> told.add("refused: " + reason));
    }

    private ScenarioMember at(String name) {
      ScenarioMember member = members.get(member(name).id());
      if (member == null) {
        throw new IllegalArgumentException("no member [" + name + "]");
      }
      return member;
    }

    private static List<Member> rows(String[] words, int from) {
      return List.of(words).subList(from, words.length).stream().map(Interpreter::member).toList();
    }

    private static Member member(String text) {
      String[] parts = text.split("[:/]", 2);
      MemberId id = new MemberId(Long.parseLong(parts[0].substring(1), 36));
      if (text.contains("/")) {
        return Member.voter(id, "").withPriority(Integer.parseInt(parts[1]));
      }
      return switch (parts.length == 1 ? "voter" : parts[1]) {
        case "voter" -> Member.voter(id, "");
        case "witness" -> Member.witness(id, "");
        case "learner" -> Member.learner(id, "");
        default -> throw new IllegalArgumentException("no standing [" + text + "]");
      };
    }
  }
}
