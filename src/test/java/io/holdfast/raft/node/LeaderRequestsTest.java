package io.holdfast.raft.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.Settings;
import io.holdfast.raft.log.FileDisk;
import io.holdfast.raft.log.LogIdentity;
import io.holdfast.raft.log.LogSettings;
import io.holdfast.raft.log.WriteAheadLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderRequestsTest {

  private static final Member SELF = Member.voter(new MemberId(1), "a1");
  private static final Member SECOND = Member.learner(new MemberId(2), "a2");
  private static final Member THIRD = Member.learner(new MemberId(3), "a3");

  @TempDir Path directory;

  @Test
  void a_settled_change_is_answered_though_the_next_begins() {
    try (WriteAheadLog log =
        WriteAheadLog.open(
            new FileDisk(directory),
            new LogIdentity(0, 0, SELF.id()),
            new LogSettings(64 << 10, 16 << 10, 64 << 10),
            () -> 1,
            /* mayBeNew= */ true)) {
      RaftCore core = new RaftCore(SELF.id(), Settings.LOCAL, 1, log, HardState.NEW, 1, 0);
      core.form(new Formation(7, 48, 0, List.of(SELF)));
      settle(core, log);
      core.tick(core.nextTickMs());
      settle(core, log);
      LeaderRequests requests = new LeaderRequests(core);
      CompletableFuture<Optional<RaftRefusal>> first = new CompletableFuture<>();
      requests.changeMembers(members -> List.of(SELF, SECOND), 1, first);
      requests.settle(1);
      assertFalse(first.isDone());
      settle(core, log);
      CompletableFuture<Optional<RaftRefusal>> second = new CompletableFuture<>();
      requests.changeMembers(members -> List.of(SELF, SECOND, THIRD), 2, second);
      settle(core, log);
      requests.settle(2);
      assertEquals(Optional.empty(), first.getNow(Optional.of(RaftRefusal.CHANGE_PENDING)));
      assertEquals(Optional.empty(), second.getNow(Optional.of(RaftRefusal.CHANGE_PENDING)));
    }
  }

  private static void settle(RaftCore core, WriteAheadLog log) {
    for (Ready ready = core.ready(); ready != null; ready = core.ready()) {
      log.write(ready);
      log.sync();
      core.persisted(ready.number());
    }
  }
}
