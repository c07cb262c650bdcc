package io.holdfast.raft.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FoundingTest {

  private static final FoundingPlan PLAN = plan(3);

  @Test
  void one_member_alone_founds_at_once() {
    Founding alone = new Founding(plan(1), new MemberId(7), "a0");
    assertNotNull(alone.agreed());
    assertEquals(alone.agreed().clusterId(), alone.readyFor());
  }

  @Test
  void a_plan_that_can_be_no_cluster_is_refused() {
    FoundingPlan.PlannedMember witness =
        new FoundingPlan.PlannedMember("a0", Member.Kind.WITNESS, 0);
    FoundingPlan.PlannedMember badPriority =
        new FoundingPlan.PlannedMember("a0", Member.Kind.VOTER, -1);
    assertThrows(IllegalArgumentException.class, () -> new FoundingPlan(List.of(witness), 48, 0));
    assertThrows(
        IllegalArgumentException.class, () -> new FoundingPlan(List.of(badPriority), 48, 0));
    assertThrows(IllegalArgumentException.class, () -> plan(Configuration.MAX_MEMBERS + 1));
  }

  @Test
  void nobody_founds_before_everyone_has_agreed_to_the_same_cluster() {
    Founding first = new Founding(PLAN, new MemberId(1), "a0");
    first.heard("a1", says(2, "a1", 0), first.attempt());
    assertEquals(0, first.readyFor());
    first.heard("a2", says(3, "a2", 0), first.attempt());
    long cluster = first.readyFor();
    assertTrue(cluster > 0);
    first.heard("a1", says(2, "a1", cluster), first.attempt());
    assertNull(first.agreed());
    first.heard("a2", says(3, "a2", cluster + 1), first.attempt());
    assertNull(first.agreed());
    first.heard("a2", says(3, "a2", cluster), first.attempt());
    assertEquals(cluster, Objects.requireNonNull(first.agreed()).clusterId());
  }

  @Test
  void an_answer_to_a_question_before_readiness_does_not_count() {
    Founding first = new Founding(plan(2), new MemberId(1), "a0");
    int before = first.attempt();
    first.heard("a1", says(2, "a1", 0), before);
    first.heard("a1", says(2, "a1", first.readyFor()), before);
    assertNull(first.agreed());
    first.heard("a1", says(2, "a1", first.readyFor()), first.attempt());
    assertNotNull(first.agreed());
  }

  @Test
  void a_copied_data_directory_keeps_the_cluster_from_being_founded() {
    Founding first = new Founding(plan(2), new MemberId(1), "a0");
    first.heard("a1", says(1, "a1", 0), first.attempt());
    assertEquals(new MemberId(1), first.twice());
    assertEquals(0, first.readyFor());
  }

  @Test
  void after_any_loss_all_directories_belong_to_one_cluster() {
    Seeds.each(
        2_000,
        random -> {
          World world = new World(1 + random.nextInt(5), random);
          for (int step = 0; step < 400; step++) {
            world.step(step < 300);
            assertTrue(world.clusters().size() <= 1, () -> "two clusters: " + world.clusters());
          }
          for (int step = 0; step < 5_000 && !world.isSettled(); step++) {
            world.step(false);
          }
          assertTrue(world.isSettled(), () -> "not settled: " + world.nodes);
        });
  }

  private static FoundingPlan plan(int size) {
    return new FoundingPlan(
        IntStream.range(0, size).mapToObj(i -> FoundingPlan.PlannedMember.voter("a" + i)).toList(),
        48,
        0);
  }

  private static Statement says(long member, String address, long readyFor) {
    return new Statement(
        new MemberId(member),
        address,
        readyFor,
        null,
        Configuration.NONE,
        Statement.Admission.NONE,
        "");
  }

  /** Members that ask each other, over a network that delays and loses, and lose directories. */
  private static final class World {

    private static final class InitialNode {
      final String address;
      MemberId id;
      @Nullable Formation formation;
      Founding founding;

      InitialNode(FoundingPlan plan, String address, MemberId id) {
        this.address = address;
        this.id = id;
        founding = new Founding(plan, id, address);
      }

      @Override
      public String toString() {
        return founding + (formation == null ? "" : " in " + formation.clusterId());
      }
    }

    private record Answer(
        InitialNode to, Founding asker, int attempt, String from, Statement statement) {}

    private final FoundingPlan plan;
    private final SplittableRandom random;
    private final List<InitialNode> nodes = new ArrayList<>();
    private final List<Answer> underWay = new ArrayList<>();
    private long lastId;

    World(int size, SplittableRandom random) {
      plan = plan(size);
      this.random = random;
      for (int i = 0; i < size; i++) {
        nodes.add(new InitialNode(plan, "a" + i, new MemberId(++lastId)));
      }
    }

    void step(boolean troubled) {
      InitialNode node = nodes.get(random.nextInt(nodes.size()));
      int dice = random.nextInt(100);
      if (troubled && dice < 3) {
        node.id = new MemberId(++lastId); // the directory is lost
        node.formation = null;
        node.founding = new Founding(plan, node.id, node.address);
      } else if (troubled && dice < 6) {
        node.founding = new Founding(plan, node.id, node.address); // the process starts again
      } else if (dice < 45) {
        ask(node);
      } else if (dice < 95 && !underWay.isEmpty()) {
        deliver(underWay.remove(random.nextInt(underWay.size())), troubled);
      } else if (node.formation == null) {
        node.formation = node.founding.agreed();
      }
    }

    private void ask(InitialNode asker) {
      InitialNode asked = nodes.get(random.nextInt(nodes.size()));
      if (asked != asker && asker.formation == null) {
        Statement statement =
            new Statement(
                asked.id,
                asked.address,
                asked.formation == null ? asked.founding.readyFor() : 0,
                asked.formation,
                Configuration.NONE,
                Statement.Admission.NONE,
                "");
        underWay.add(
            new Answer(asker, asker.founding, asker.founding.attempt(), asked.address, statement));
      }
    }

    private void deliver(Answer answer, boolean troubled) {
      InitialNode to = answer.to;
      boolean lost = troubled && random.nextInt(4) == 0;
      if (lost || to.formation != null || to.founding != answer.asker) {
        return;
      }
      Formation formation = answer.statement.formation();
      if (formation == null) {
        to.founding.heard(answer.from, answer.statement, answer.attempt);
      } else if (formation.configuration().contains(to.id)) {
        to.formation = formation;
      }
    }

    Set<Long> clusters() {
      return nodes.stream()
          .map(node -> node.formation)
          .filter(Objects::nonNull)
          .map(Formation::clusterId)
          .collect(Collectors.toSet());
    }

    /** Everyone is in, but those who came to a cluster that exists with another directory. */
    boolean isSettled() {
      return nodes.stream().anyMatch(node -> node.formation != null)
          && nodes.stream().allMatch(node -> node.formation != null || isOutside(node));
    }

    private boolean isOutside(InitialNode node) {
      return nodes.stream()
          .map(other -> other.formation)
          .anyMatch(known -> known != null && !known.configuration().contains(node.id));
    }
  }
}
