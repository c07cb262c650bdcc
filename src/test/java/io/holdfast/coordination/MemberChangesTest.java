package io.holdfast.coordination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.coordination.AdminRefused.Reason;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class MemberChangesTest {

  private static final MemberId NEW = id(99);
  private static final Member A = Member.voter(id(1), "a:1");
  private static final Member B = Member.voter(id(2), "b:1");
  private static final Member C = Member.voter(id(3), "c:1");
  private static final Member D = Member.learner(id(4), "d:1");
  private static final Member W = Member.witness(id(5), "w:1");

  private static MemberId id(long value) {
    return new MemberId(value);
  }

  @Test
  void a_seat_is_a_learner_and_an_address_has_one() {
    List<Member> members = List.of(A, B);
    List<Member> added = MemberChanges.add(members, "n:1", NEW);
    assertEquals(List.of(A, B, Member.learner(NEW, "n:1")), added);
    assertSame(added, MemberChanges.add(added, "n:1", id(7)));
    refused(Reason.MEMBER_EXISTS, () -> MemberChanges.add(members, "b:1", NEW));
    List<Member> full =
        LongStream.rangeClosed(1, 32).mapToObj(i -> Member.voter(id(i), "m:" + i)).toList();
    refused(Reason.TOO_MANY_MEMBERS, () -> MemberChanges.add(full, "n:1", NEW));
  }

  @Test
  void only_a_learner_is_promoted() {
    List<Member> members = List.of(A, D, W);
    assertEquals(List.of(A, D.as(Member.Kind.VOTER), W), MemberChanges.promote(members, D.id()));
    assertSame(members, MemberChanges.promote(members, A.id()));
    refused(Reason.NOT_ELIGIBLE, () -> MemberChanges.promote(members, W.id()));
    refused(Reason.NO_SUCH_MEMBER, () -> MemberChanges.promote(members, NEW));
  }

  @Test
  void nobody_is_taken_out_without_whom_nothing_could_be_decided() {
    List<Member> members = List.of(A, B, C, D);
    Set<MemberId> all = Set.of(A.id(), B.id(), C.id(), D.id());
    assertEquals(List.of(A, C, D), MemberChanges.remove(members, B.id(), all));
    assertEquals(List.of(A, C, D), MemberChanges.remove(members, B.id(), Set.of(A.id(), C.id())));
    refused(
        Reason.NOT_ELIGIBLE, () -> MemberChanges.remove(members, B.id(), Set.of(A.id(), B.id())));
    refused(Reason.NO_SUCH_MEMBER, () -> MemberChanges.remove(members, NEW, all));
  }

  @Test
  void a_learner_may_always_go_and_the_last_voter_never() {
    assertEquals(List.of(A), MemberChanges.remove(List.of(A, D), D.id(), Set.of()));
    refused(Reason.NOT_ELIGIBLE, () -> MemberChanges.remove(List.of(A, D), A.id(), Set.of(D.id())));
    refused(Reason.NOT_ELIGIBLE, () -> MemberChanges.remove(List.of(A, W), A.id(), Set.of(A.id())));
  }

  private static void refused(Reason reason, Executable change) {
    assertEquals(reason, assertThrows(AdminRefused.class, change).reason());
  }
}
