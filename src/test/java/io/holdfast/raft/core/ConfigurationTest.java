package io.holdfast.raft.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigurationTest {

  private static final Member A = Member.voter(new MemberId(1), "");
  private static final Member B = Member.voter(new MemberId(2), "");
  private static final Member C = Member.voter(new MemberId(3), "");
  private static final Member D = Member.voter(new MemberId(4), "");

  @Test
  void a_change_of_votes_is_joint_and_any_other_is_not() {
    Configuration now = Configuration.of(A, B, C);
    assertTrue(now.towards(List.of(A, B, D)).isJoint());
    assertEquals(Configuration.of(A, B, D), now.towards(List.of(A, B, D)).settled());
    assertFalse(now.towards(List.of(A, B, C, D.as(Member.Kind.LEARNER))).isJoint());
    assertTrue(now.towards(List.of(A, B, C.as(Member.Kind.LEARNER))).isJoint());
  }

  @Test
  void a_joint_configuration_needs_a_majority_of_each_side() {
    Configuration joint = new Configuration(List.of(A, B, D), List.of(A, B, C));
    assertTrue(Quorum.among(joint, Set.of(A.id(), B.id())::contains));
    assertFalse(Quorum.among(joint, Set.of(A.id(), D.id())::contains));
    Map<MemberId, Long> match = Map.of(A.id(), 9L, B.id(), 5L, C.id(), 4L, D.id(), 9L);
    assertEquals(5, Quorum.reached(joint, match::get));
  }

  @Test
  void learners_do_not_count() {
    Configuration one = Configuration.of(A, B.as(Member.Kind.LEARNER));
    assertTrue(Quorum.among(one, Set.of(A.id())::contains));
    assertFalse(Quorum.among(one, Set.of(B.id())::contains));
  }

  @Test
  void a_group_has_somebody_who_can_lead_it_and_nobody_twice() {
    Member witness = A.as(Member.Kind.WITNESS);
    assertThrows(IllegalArgumentException.class, () -> Configuration.of(witness));
    assertThrows(IllegalArgumentException.class, () -> Configuration.of(A, A));
  }
}
