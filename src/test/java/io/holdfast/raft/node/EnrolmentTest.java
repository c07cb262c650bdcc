package io.holdfast.raft.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.Settings;
import io.holdfast.raft.log.FileDisk;
import io.holdfast.raft.log.LogIdentity;
import io.holdfast.raft.log.LogSettings;
import io.holdfast.raft.log.WriteAheadLog;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnrolmentTest {

  private static final MemberId SELF = new MemberId(1);
  private static final FoundingPlan PLAN =
      new FoundingPlan(
          List.of(
              FoundingPlan.PlannedMember.voter("a0"),
              FoundingPlan.PlannedMember.voter("a1"),
              FoundingPlan.PlannedMember.voter("a2")),
          48,
          0);
  private static final Formation FOUNDED =
      new Formation(
          7,
          48,
          0,
          List.of(
              Member.voter(SELF, "a0"),
              Member.voter(new MemberId(2), "a1"),
              Member.voter(new MemberId(3), "a2")));

  private record Asked(String address, Consumer<Optional<byte[]>> answer) {}

  @TempDir Path directory;

  private final List<Asked> asked = new ArrayList<>();

  @Test
  void a_silent_member_is_not_asked_again_meanwhile() {
    try (WriteAheadLog log = log()) {
      Enrolment enrolment = enrolment(core(log), "a0");
      enrolment.tick(0);
      asked.get(1).answer.accept(Optional.empty());
      enrolment.tick(50);
      assertEquals(List.of("a1", "a2", "a2"), asked.stream().map(Asked::address).toList());
    }
  }

  @Test
  void a_founding_by_the_others_is_taken_over() {
    try (WriteAheadLog log = log()) {
      RaftCore core = core(log);
      hearsOfTheCluster(enrolment(core, "a0"));
      assertNotNull(core.formation());
    }
  }

  @Test
  void a_founding_whose_sync_is_under_way_is_not_on_the_disk() {
    try (WriteAheadLog log = log()) {
      RaftCore core = core(log);
      List<Runnable> syncs = new ArrayList<>();
      Reactions reactions = new Reactions(core, host(log, syncs));
      hearsOfTheCluster(enrolment(core, "a0"));
      reactions.carryOut(requireNonNull(core.ready()));
      assertFalse(reactions.isAllDurable());
      syncs.remove(0).run();
      assertTrue(reactions.isAllDurable());
    }
  }

  /** Writes, and leaves each sync to the test. */
  private static MemberHost host(WriteAheadLog log, List<Runnable> syncs) {
    return (MemberHost)
        Proxy.newProxyInstance(
            MemberHost.class.getClassLoader(),
            new Class<?>[] {MemberHost.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("write")) {
                log.write((Ready) arguments[0]);
              } else if (method.getName().equals("sync")) {
                syncs.add((Runnable) arguments[0]);
              }
              return null;
            });
  }

  @Test
  void a_copied_directory_does_not_join_as_the_original() {
    try (WriteAheadLog log = log()) {
      RaftCore core = core(log);
      hearsOfTheCluster(enrolment(core, "elsewhere"));
      assertNull(core.formation());
    }
  }

  @Test
  void a_node_of_other_shards_asks_for_no_place_and_ends() {
    try (WriteAheadLog log = log()) {
      RaftCore core = new RaftCore(new MemberId(9), Settings.LOCAL, 1, log, HardState.NEW, 1, 0);
      Enrolment enrolment = enrolment(new FoundingPlan(PLAN.members(), 47, 0), core, "a0");
      OtherTerms end = assertThrows(OtherTerms.class, () -> hearsOfTheCluster(enrolment));
      assertEquals(
          "the cluster at [a2] was founded with [48] shards, not with [47]", end.getMessage());
      assertEquals(2, asked.size());
    }
  }

  private void hearsOfTheCluster(Enrolment enrolment) {
    enrolment.tick(0);
    Statement statement =
        new Statement(
            new MemberId(2),
            "a1",
            0,
            FOUNDED,
            Configuration.of(FOUNDED.members()),
            Statement.Admission.NONE,
            "");
    asked.get(asked.size() - 1).answer.accept(Optional.of(FoundingCodec.encode(statement)));
    enrolment.tick(1);
  }

  private Enrolment enrolment(RaftCore core, String address) {
    return enrolment(PLAN, core, address);
  }

  private Enrolment enrolment(FoundingPlan plan, RaftCore core, String address) {
    return new Enrolment(
        plan,
        address,
        50,
        core,
        new NoLinks() {
          @Override
          public void ask(String to, byte[] question, Consumer<Optional<byte[]>> answer) {
            asked.add(new Asked(to, answer));
          }
        });
  }

  private static RaftCore core(WriteAheadLog log) {
    return new RaftCore(SELF, Settings.LOCAL, 1, log, HardState.NEW, 1, 0);
  }

  private WriteAheadLog log() {
    return WriteAheadLog.open(
        new FileDisk(directory),
        new LogIdentity(0, 0, SELF),
        new LogSettings(64 << 10, 16 << 10, 64 << 10),
        () -> 1,
        /* mayBeNew= */ true);
  }
}
