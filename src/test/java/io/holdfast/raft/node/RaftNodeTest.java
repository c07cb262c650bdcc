package io.holdfast.raft.node;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.raft.LogProgress;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.log.Disk;
import io.holdfast.raft.log.DiskFile;
import io.holdfast.raft.node.TestGroup.Place;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole members over real links and files, as their callers see them. */
@Tag("slow")
class RaftNodeTest {

  private static final long NO_SNAPSHOTS = Long.MAX_VALUE;

  @TempDir Path root;

  @Test
  void three_members_found_a_cluster_and_apply_the_same() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      group.put(group.leader(), "one");
      group.put(group.follower(), "two");
      group.assertAllHave(List.of("one", "two"));
      assertEquals(3, group.follower().node().members().size());
    }
  }

  @Test
  void nobody_leads_before_all_initial_members_have_been_there_once() {
    try (TestGroup group = new TestGroup(root, 3, NO_SNAPSHOTS)) {
      group.start(group.place(0));
      group.start(group.place(1));
      ProposalOutcome early = TestGroup.get(group.place(0).node().propose(new byte[] {1}));
      assertEquals(RaftRefusal.NOT_FORMED, early.refusal());
      group.start(group.place(2));
      group.put(group.leader(), "now");
      group.assertAllHave(List.of("now"));
    }
  }

  @Test
  void a_read_anywhere_sees_what_was_acknowledged_anywhere() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      for (int i = 0; i < 20; i++) {
        group.put(group.leader(), "w" + i);
        Place reader = group.place(i % 3);
        eventually(
            "a safe read",
            TestGroup.WITHIN,
            () -> TestGroup.get(reader.node().readBarrier()).isSafe(),
            safe -> safe);
        assertTrue(reader.words.all().contains("w" + i));
      }
    }
  }

  @Test
  void acknowledged_entries_are_there_after_all_have_stopped() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      List<String> words = fill(group, 50);
      group.places().forEach(group::stop);
      group.places().forEach(group::start);
      group.assertAllHave(words);
    }
  }

  @Test
  void a_member_that_was_away_for_long_gets_a_snapshot() {
    try (TestGroup group = TestGroup.formed(root, 40_000)) {
      Place away = group.follower();
      group.stop(away);
      List<String> words = fill(group, 15_000);
      group.start(away);
      group.assertAllHave(words);
      assertTrue(away.words.restored() > 0, "it came entry by entry");
    }
  }

  @Test
  void an_empty_directory_of_a_member_joins_as_a_learner() throws IOException {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      List<String> words = fill(group, 10);
      Place lost = group.follower();
      MemberId before = lost.id;
      group.stop(lost);
      group.loseDirectory(lost);
      group.start(lost);
      group.assertAllHave(words);
      List<Member> members = group.leader().node().members();
      assertEquals(4, members.size());
      assertEquals(
          Optional.of(Member.Kind.LEARNER),
          members.stream().filter(row -> row.id().equals(lost.id)).map(Member::kind).findFirst());
      List<Member> target =
          TestGroup.withKind(members, lost.id, Member.Kind.VOTER).stream()
              .filter(row -> !row.id().equals(before))
              .toList();
      eventually(
          "promoted",
          TestGroup.WITHIN,
          () -> TestGroup.get(group.leader().node().changeMembers(target)),
          Optional::isEmpty);
      assertEquals(3, group.leader().node().members().size());
    }
  }

  @Test
  void a_member_that_was_away_follows_a_leader_that_came_meanwhile() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      Place leader = group.leader();
      Place away = group.follower();
      group.stop(away);
      Place newcomer = group.addPlace();
      List<Member> members = leader.node().members();
      change(leader, with(members, Member.learner(newcomer.id, newcomer.address)));
      group.start(newcomer);
      change(leader, with(members, Member.voter(newcomer.id, newcomer.address)));
      assertEquals(Optional.empty(), TestGroup.get(leader.node().transferLeadership(newcomer.id)));
      group.put(newcomer, "after");
      group.start(away);
      group.assertAllHave(List.of("after"));
      assertTrue(newcomer.node().leadership().leads());
    }
  }

  @Test
  void a_change_is_worked_out_from_the_members_of_its_moment() throws Exception {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      RaftNode leader = group.leader().node();
      List<CompletionStage<Optional<RaftRefusal>>> changes = new ArrayList<>();
      for (long id = 100; id < 105; id++) {
        Member learner = Member.learner(new MemberId(id), "127.0.0.1:" + id);
        changes.add(leader.changeMembers(members -> with(members, learner)));
      }
      changes.forEach(TestGroup::get);
      for (long id = 100; id < 105; id++) { // some were refused: one change is made at a time
        Member learner = Member.learner(new MemberId(id), "127.0.0.1:" + id);
        eventually(
            "added " + learner,
            TestGroup.WITHIN,
            () ->
                TestGroup.get(
                    leader.changeMembers(
                        members -> members.contains(learner) ? members : with(members, learner))),
            Optional::isEmpty);
      }
      assertEquals(8, leader.members().size());
      assertEquals(Optional.empty(), TestGroup.get(leader.changeMembers(UnaryOperator.identity())));
      RuntimeException refused = new IllegalStateException("not today");
      CompletionException failure =
          assertThrows(
              CompletionException.class,
              () ->
                  leader
                      .changeMembers(
                          members -> {
                            throw refused;
                          })
                      .toCompletableFuture()
                      .orTimeout(20, TimeUnit.SECONDS)
                      .join());
      assertEquals(refused, failure.getCause());
    }
  }

  @Test
  void a_member_tells_how_far_it_is() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      List<String> words = fill(group, 10);
      group.assertAllHave(words);
      RaftNode leader = group.leader().node();
      LogProgress progress =
          eventually(
              "all disks have all",
              TestGroup.WITHIN,
              () -> TestGroup.get(leader.progress()),
              now ->
                  now.matches().size() == 2
                      && now.matches().values().stream().allMatch(match -> match == now.last()));
      assertEquals(progress.commit(), progress.applied());
      assertTrue(progress.commit() >= 11, progress::toString);
      assertEquals(progress.applied(), (long) TestGroup.get(leader.between(index -> index)));
      assertTrue(TestGroup.get(group.follower().node().progress()).matches().isEmpty());
    }
  }

  private static void change(Place leader, List<Member> target) {
    eventually(
        "changed to " + target,
        TestGroup.WITHIN,
        () -> TestGroup.get(leader.node().changeMembers(target)),
        Optional::isEmpty);
  }

  private static List<Member> with(List<Member> members, Member added) {
    List<Member> target = new ArrayList<>(members);
    target.add(added);
    return target;
  }

  @Test
  void leadership_is_handed_over_without_a_gap_for_callers() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      Place before = group.leader();
      Place after = group.follower();
      assertEquals(Optional.empty(), TestGroup.get(before.node().transferLeadership(after.id)));
      eventually(
          "the successor leads",
          TestGroup.WITHIN,
          () -> after.node().leadership().leads(),
          leads -> leads);
      group.put(before, "forwarded now");
      group.assertAllHave(List.of("forwarded now"));
    }
  }

  @Test
  void a_follower_refuses_the_tasks_of_a_leader() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      RaftNode follower = group.follower().node();
      assertEquals(
          Optional.of(RaftRefusal.NOT_LEADER),
          TestGroup.get(follower.changeMembers(follower.members())));
      assertEquals(
          Optional.of(RaftRefusal.NOT_LEADER),
          TestGroup.get(follower.transferLeadership(follower.self())));
    }
  }

  @Test
  void a_payload_too_large_is_refused_and_nothing_else_suffers() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      ProposalOutcome outcome =
          TestGroup.get(group.leader().node().propose(new byte[(32 << 10) + 1]));
      assertEquals(RaftRefusal.TOO_LARGE, outcome.refusal());
      group.put(group.leader(), "small");
    }
  }

  @Test
  void a_stopped_member_refuses() {
    try (TestGroup group = TestGroup.formed(root, NO_SNAPSHOTS)) {
      RaftNode node = group.follower().node();
      group.stop(group.follower());
      assertEquals(RaftRefusal.STOPPED, TestGroup.get(node.propose(new byte[1])).refusal());
      assertEquals(RaftRefusal.STOPPED, TestGroup.get(node.readBarrier()).refusal());
    }
  }

  @Test
  void a_state_that_cannot_be_written_ends_the_member() {
    try (TestGroup group = new TestGroup(root, 1, 1_000)) {
      Place alone = group.place(0);
      group.start(alone);
      alone.words.failToWrite();
      RaftNode failing = alone.node();
      group.put(alone, "x".repeat(2_000));
      eventually(
          "the member has ended",
          TestGroup.WITHIN,
          () -> failing.stopped().toCompletableFuture().isCompletedExceptionally(),
          ended -> ended);
      alone.node = null;
    }
  }

  @Test
  void a_disk_without_room_for_snapshots_ends_no_member() {
    try (TestGroup group = new TestGroup(root, 3, 2_000)) {
      group.disks(RaftNodeTest::withoutRoomForSnapshots);
      group.places().forEach(group::start);
      for (int i = 0; i < 5; i++) {
        group.put(group.leader(), i + "x".repeat(1_000));
      }
      for (Place place : group.places()) {
        eventually(
            "the member tells its trouble",
            TestGroup.WITHIN,
            () -> TestGroup.get(place.node().progress()).troubles(),
            troubles -> troubles.size() == 1 && troubles.get(0).contains("No space left"));
      }
      group.put(group.leader(), "after");
    }
  }

  private static Disk withoutRoomForSnapshots(Disk disk) {
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("create") && ((String) arguments[0]).startsWith("own-")) {
                throw new IOException("No space left on device");
              }
              return method.invoke(disk, arguments);
            });
  }

  @Test
  void an_error_of_the_disk_ends_the_member_and_the_others_go_on() {
    try (TestGroup group = new TestGroup(root, 3, NO_SNAPSHOTS)) {
      AtomicBoolean broken = new AtomicBoolean();
      group.disks(disk -> breaking(disk, broken));
      group.start(group.place(0));
      group.disks(disk -> disk);
      group.start(group.place(1));
      group.start(group.place(2));
      group.put(group.leader(), "before");
      broken.set(true);
      RaftNode failing = group.place(0).node();
      var unknown = failing.propose(new byte[] {65});
      eventually(
          "the member has ended",
          TestGroup.WITHIN,
          () -> failing.stopped().toCompletableFuture().isCompletedExceptionally(),
          ended -> ended);
      ProposalOutcome outcome = TestGroup.get(unknown);
      assertTrue(outcome.isUnknown() || outcome.isApplied(), outcome::toString);
      group.place(0).node = null;
      group.put(group.leader(), "after");
    }
  }

  private static List<String> fill(TestGroup group, int count) {
    List<String> words = new ArrayList<>();
    Place leader = group.leader();
    List<CompletableFuture<ProposalOutcome>> open = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      words.add("word-" + i);
      open.add(
          leader
              .node()
              .propose(("word-" + i).getBytes(java.nio.charset.StandardCharsets.UTF_8))
              .toCompletableFuture());
      if (open.size() == 1000 || i == count - 1) {
        open.forEach(each -> assertTrue(TestGroup.get(each).isApplied()));
        open.clear();
      }
    }
    return words;
  }

  /** A disk whose files cannot be made durable any more once it is broken. */
  private static Disk breaking(Disk disk, AtomicBoolean broken) {
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(disk, arguments);
              return result instanceof DiskFile file ? breaking(file, broken) : result;
            });
  }

  private static DiskFile breaking(DiskFile file, AtomicBoolean broken) {
    return (DiskFile)
        Proxy.newProxyInstance(
            DiskFile.class.getClassLoader(),
            new Class<?>[] {DiskFile.class},
            (proxy, method, arguments) -> {
              if (broken.get() && method.getName().equals("force")) {
                throw new IOException("Input/output error");
              }
              return method.invoke(file, arguments);
            });
  }
}
