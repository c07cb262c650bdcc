package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Plays random commands against a model so simple that it can be seen to be right: which process of
 * each member lives, who owns each shard, and every number that was ever given out.
 */
class CoordinationModelTest {

  private static final int MEMBERS = 4;

  @Test
  void the_state_agrees_with_the_model() {
    Seeds.each(1_000, random -> new Run(random).run(/* steps= */ 150));
  }

  /** A session of the model. */
  private static final class Node {
    final SessionId id;
    final long member;
    final long incarnation;
    long renewal;
    FormationId formation = FormationId.NONE;

    Node(SessionId id, long member, long incarnation) {
      this.id = id;
      this.member = member;
      this.incarnation = incarnation;
    }
  }

  /** One run: the state and the model, side by side. */
  private static final class Run {

    private final SplittableRandom random;
    private AppliedLog log = AppliedLog.founded(MEMBERS);

    // The model.
    private final Map<Long, Node> live = new HashMap<>();
    private final Map<Long, Long> newestIncarnation = new HashMap<>();
    private final Map<Integer, Node> owners = new HashMap<>();
    private final Map<Integer, Epoch> epochs = new HashMap<>();
    private final Map<Integer, Long> marks = new HashMap<>();
    private final Map<Integer, Long> fences = new HashMap<>();
    private final Set<Long> everUsed = new HashSet<>();
    private final List<SessionId> everOpened = new ArrayList<>(List.of(SessionId.NONE));
    private final Map<SessionId, Set<SessionId>> goneTo = new HashMap<>();
    private long newestNumber;
    private long newestToken;
    private long request;

    Run(SplittableRandom random) {
      this.random = random;
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        step();
        compare();
        if (random.nextInt(10) == 0) {
          restart();
        }
      }
    }

    private void step() {
      switch (random.nextInt(15)) {
        case 0, 1 -> open();
        case 2 -> renew();
        case 3 -> end(new CoordinationCommand.CloseSession(any()), /* early= */ false);
        case 4 -> expire(/* early= */ false);
        case 5 -> expire(/* early= */ true);
        case 6, 7, 8 -> acquire();
        case 9 -> release();
        case 10 -> form();
        case 11, 12, 13 -> reportGone();
        default -> certain();
      }
    }

    private ShardTerms terms() {
      return switch (random.nextInt(20)) {
        case 0 -> ShardTerms.of(AppliedLog.SHARDS + random.nextInt(-1, 2));
        case 1 -> new ShardTerms(AppliedLog.SHARDS, ShardTerms.CRC_32C + 1);
        default -> AppliedLog.TERMS;
      };
    }

    private void open() {
      long member = 1L + random.nextInt(MEMBERS);
      long newest = newestIncarnation.getOrDefault(member, 0L);
      long incarnation = Math.max(1, newest + random.nextInt(-1, 3));
      Node before = live.get(member);
      ShardTerms terms = terms();
      CoordinationVerdict verdict = log.apply(AppliedLog.opening(member, incarnation, terms));
      if (!terms.equals(AppliedLog.TERMS)) {
        refused(CoordinationRefusal.OTHER_TERMS, verdict);
      } else if (incarnation > newest) {
        CoordinationVerdict.Opened opened = AppliedLog.opened(verdict);
        assertEquals(before == null ? 0 : 1, opened.ended().size());
        if (before != null) {
          forget(before, /* early= */ false);
        }
        SessionId id = opened.session().id();
        rises(id.value());
        everOpened.add(id);
        live.put(member, new Node(id, member, incarnation));
        newestIncarnation.put(member, incarnation);
      } else if (before != null && before.incarnation == incarnation) {
        assertTrue(AppliedLog.opened(verdict).repeated());
      } else {
        refused(CoordinationRefusal.DEAD_INCARNATION, verdict);
      }
    }

    private void renew() {
      SessionId id = any();
      Node node = find(id);
      long number = node == null ? 1 : Math.max(0, node.renewal + random.nextInt(-1, 3));
      CoordinationVerdict verdict = log.apply(new CoordinationCommand.RenewSession(id, number));
      if (node == null) {
        refused(CoordinationRefusal.NO_SUCH_SESSION, verdict);
      } else if (number < node.renewal) {
        refused(CoordinationRefusal.OLD_RENEWAL, verdict);
      } else {
        assertEquals(number, verdict.alive().orElseThrow().renewal());
        node.renewal = number;
        goneTo.remove(id);
      }
    }

    private void reportGone() {
      SessionId by = any();
      SessionId gone = any();
      Node node = find(gone);
      long seen = node == null ? 0 : node.renewal - (random.nextInt(5) == 0 ? 1 : 0);
      CoordinationVerdict verdict = log.apply(new CoordinationCommand.ReportGone(by, gone, seen));
      if (find(by) == null || node == null) {
        refused(CoordinationRefusal.NO_SUCH_SESSION, verdict);
      } else if (by.equals(gone)) {
        refused(CoordinationRefusal.OUT_OF_BOUND, verdict);
      } else if (seen != node.renewal) {
        refused(CoordinationRefusal.RENEWED_MEANWHILE, verdict);
      } else {
        assertEquals(new CoordinationVerdict.Noted(), verdict);
        goneTo.computeIfAbsent(gone, none -> new HashSet<>()).add(by);
      }
    }

    private void expire(boolean early) {
      SessionId id = any();
      Node node = find(id);
      long seen = node == null ? 0 : node.renewal - random.nextInt(2);
      boolean current = node != null && seen == node.renewal;
      CoordinationCommand command =
          early
              ? new CoordinationCommand.ExpireEarly(id, seen)
              : new CoordinationCommand.ExpireSession(id, seen);
      if (node != null && !current) {
        refused(CoordinationRefusal.RENEWED_MEANWHILE, log.apply(command));
      } else {
        end(command, early);
      }
    }

    private void end(CoordinationCommand command, boolean early) {
      SessionId id =
          command instanceof CoordinationCommand.CloseSession close
              ? close.session()
              : command instanceof CoordinationCommand.ExpireSession expire
                  ? expire.session()
                  : ((CoordinationCommand.ExpireEarly) command).session();
      Node node = find(id);
      CoordinationVerdict verdict = log.apply(command);
      if (node == null) {
        refused(CoordinationRefusal.NO_SUCH_SESSION, verdict);
      } else {
        EndedSession ended = AppliedLog.ended(verdict).get(0);
        assertEquals(id, ended.session().id());
        assertEquals(owned(node), ended.shards());
        forget(node, early);
      }
    }

    private void acquire() {
      SessionId id = any();
      Node node = find(id);
      int shard = random.nextInt(AppliedLog.SHARDS);
      Node owner = owners.get(shard);
      request++;
      ShardTerms terms = terms();
      CoordinationVerdict verdict =
          log.apply(new CoordinationCommand.AcquireShard(id, ShardId.of(shard), request, terms));
      if (node == null) {
        refused(CoordinationRefusal.NO_SUCH_SESSION, verdict);
      } else if (!terms.equals(AppliedLog.TERMS)) {
        refused(CoordinationRefusal.OTHER_TERMS, verdict);
      } else if (owner != null && owner != node) {
        refused(CoordinationRefusal.SHARD_TAKEN, verdict);
      } else {
        CoordinationVerdict.Acquired acquired = (CoordinationVerdict.Acquired) verdict;
        rises(acquired.epoch().value());
        rises(acquired.block());
        if (random.nextBoolean()) {
          rises(log.takeBlock(acquired));
        }
        owners.put(shard, node);
        epochs.put(shard, acquired.epoch());
      }
    }

    private void release() {
      SessionId id = any();
      int shard = random.nextInt(AppliedLog.SHARDS);
      Node owner = owners.get(shard);
      Epoch epoch = epochs.getOrDefault(shard, Epoch.NONE);
      if (random.nextInt(4) == 0) {
        epoch = new Epoch(Math.max(0, epoch.value() - 1));
      }
      boolean right = owner != null && owner.id.equals(id) && epoch.equals(epochs.get(shard));
      CoordinationVerdict verdict =
          log.apply(new CoordinationCommand.ReleaseShard(id, ShardId.of(shard), epoch));
      if (right) {
        rises(((CoordinationVerdict.Released) verdict).fence().value());
        owners.remove(shard);
      } else {
        refused(CoordinationRefusal.NOT_CURRENT_EPOCH, verdict);
      }
    }

    private void form() {
      SessionId id = any();
      Node node = find(id);
      boolean forms = random.nextBoolean();
      FormationId formation = log.state.formation();
      CoordinationVerdict verdict =
          log.apply(forms ? log.forming(id) : new CoordinationCommand.MarkJoined(id, formation));
      boolean isFormed = live.values().stream().anyMatch(n -> n.formation.value() != 0);
      if (node == null) {
        refused(CoordinationRefusal.NO_SUCH_SESSION, verdict);
      } else if (forms && isFormed) {
        refused(CoordinationRefusal.ALREADY_FORMED, verdict);
      } else if (!forms && formation.value() == 0) {
        refused(CoordinationRefusal.OTHER_FORMATION, verdict);
      } else {
        node.formation = ((CoordinationVerdict.Joined) verdict).formation();
        if (forms) {
          rises(node.formation.value());
        }
      }
    }

    private void certain() {
      int shard = random.nextInt(AppliedLog.SHARDS);
      long mark = marks.getOrDefault(shard, 0L) - (random.nextInt(4) == 0 ? 1 : 0);
      CoordinationVerdict verdict =
          log.apply(new CoordinationCommand.MarkCertain(ShardId.of(shard), mark));
      if (marks.remove(shard, mark)) {
        assertEquals(new CoordinationVerdict.Noted(), verdict);
      } else {
        refused(CoordinationRefusal.NO_SUCH_MARK, verdict);
      }
    }

    private void forget(Node node, boolean early) {
      live.remove(node.member);
      goneTo.remove(node.id);
      goneTo.values().forEach(by -> by.remove(node.id));
      for (ShardId shard : owned(node)) {
        owners.remove(shard.value());
        if (early) {
          long mark = log.state.uncertain(shard).orElseThrow().id();
          assertTrue(mark > marks.getOrDefault(shard.value(), 0L));
          assertTrue(everUsed.add(mark));
          newestNumber = Math.max(newestNumber, mark);
          marks.put(shard.value(), mark);
        }
        assertTrue(everUsed.add(log.state.fence(shard).value()));
        newestNumber = Math.max(newestNumber, log.state.fence(shard).value());
      }
    }

    private void compare() {
      assertEquals(
          live.values().stream().map(node -> node.id).sorted().toList(),
          log.state.sessions().stream().map(Session::id).toList());
      Set<FormationId> formations = new HashSet<>();
      for (Node node : live.values()) {
        Session session = log.state.session(node.id).orElseThrow();
        assertEquals(node.renewal, session.renewal());
        assertEquals(node.formation, session.formation());
        assertEquals(owned(node), log.state.shardsOf(node.id));
        if (session.isJoined()) {
          formations.add(session.formation());
        }
      }
      assertTrue(formations.size() <= 1, "I12 Live: two clusters formed");
      for (int i = 0; i < AppliedLog.SHARDS; i++) {
        compareShard(i);
      }
      compareGone();
    }

    /** All members of the model vote: those that live must say so, and be a majority. */
    private void compareGone() {
      Set<CoordinationCommand.ExpireEarly> wanted = new HashSet<>();
      for (Node node : live.values()) {
        Set<SessionId> others = new HashSet<>();
        live.values().stream().filter(other -> other != node).forEach(o -> others.add(o.id));
        if (2 * others.size() > MEMBERS
            && goneTo.getOrDefault(node.id, Set.of()).containsAll(others)) {
          wanted.add(new CoordinationCommand.ExpireEarly(node.id, node.renewal));
        }
      }
      assertEquals(wanted, Set.copyOf(log.state.seeminglyGone()));
    }

    private void compareShard(int i) {
      ShardId shard = ShardId.of(i);
      Node owner = owners.get(i);
      assertEquals(Optional.ofNullable(owner).map(node -> node.id), log.state.owner(shard));
      assertEquals(
          Optional.ofNullable(marks.get(i)), log.state.uncertain(shard).map(UncertainMark::id));
      long fence = log.state.fence(shard).value();
      assertTrue(fence >= fences.getOrDefault(i, 0L), "the fence fell");
      Epoch last = epochs.getOrDefault(i, Epoch.NONE);
      if (owner == null && last.value() > 0) {
        assertTrue(fence > last.value(), "the fence of a free shard is its last epoch");
      } else {
        assertEquals(last.value(), fence);
      }
      fences.put(i, fence);
    }

    /** The log goes on with a copy that was read from bytes. */
    private void restart() {
      byte[] bytes = log.state.toBytes();
      log.state = CoordinationState.readFrom(bytes);
      assertArrayEquals(bytes, log.state.toBytes());
      compare();
    }

    private void rises(long number) {
      assertTrue(number > newestNumber, () -> number + " after " + newestNumber);
      assertTrue(everUsed.add(number));
      newestNumber = number;
    }

    private void rises(TokenBlock block) {
      assertTrue(block.first() > newestToken, "I2 TokenMonotonic: a block of tokens came before");
      newestToken = block.last();
    }

    private List<ShardId> owned(Node node) {
      return owners.entrySet().stream()
          .filter(entry -> entry.getValue() == node)
          .map(entry -> ShardId.of(entry.getKey()))
          .sorted()
          .toList();
    }

    /** A session that lives, or with luck one that does not. */
    private SessionId any() {
      if (live.isEmpty() || random.nextInt(5) == 0) {
        return everOpened.get(random.nextInt(everOpened.size()));
      }
      List<SessionId> ids = live.values().stream().map(node -> node.id).sorted().toList();
      return ids.get(random.nextInt(ids.size()));
    }

    private @Nullable Node find(SessionId id) {
      return live.values().stream().filter(node -> node.id.equals(id)).findFirst().orElse(null);
    }

    private static void refused(CoordinationRefusal reason, CoordinationVerdict verdict) {
      assertTrue(
          verdict instanceof CoordinationVerdict.Refused refused && refused.reason() == reason,
          () -> "wanted " + reason + ", but " + verdict);
    }
  }
}
