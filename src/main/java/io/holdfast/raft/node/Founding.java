package io.holdfast.raft.node;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.MemberId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides when one of the initial members founds the cluster. All of them found the same one.
 *
 * <p>Pure: fed with what the others answer, it says when to found, and what.
 */
final class Founding {

  /*
   * The cluster follows from the plan and the ids of all initial members; its id is a hash over
   * them. So whoever knows all ids knows the cluster, and nobody has to be asked to decide.
   *
   * Ids change while directories are lost. A member founds only after every other has said, since
   * this one became ready for it, that it is ready for the very same cluster. Then no two members
   * ever found different clusters. Suppose that X founds F and Y founds G. X must have heard from Y
   * that it is ready for F while X was, and Y from X that it is ready for G while Y was. Each said
   * so before it founded. So X was ready for G and then for F, as Y said after that; and Y was
   * ready for F and then for G, as X said after that. Each statement would come before the other,
   * which is impossible.
   */

  private final FoundingPlan plan;
  private final MemberId self;
  private final String ownAddress;
  private final Map<String, MemberId> ids = new HashMap<>();
  private final Set<String> agreed = new HashSet<>();
  private @Nullable Formation candidate;
  private int attempt;

  Founding(FoundingPlan plan, MemberId self, String ownAddress) {
    this.plan = plan;
    this.self = self;
    this.ownAddress = ownAddress;
    ids.put(ownAddress, self);
    reconsider();
  }

  /** The cluster that this member is ready to found; 0 while it has not heard from everyone. */
  long readyFor() {
    return candidate == null ? 0 : candidate.clusterId();
  }

  /** Rises whenever {@link #readyFor} changes; to be noted with each question. */
  int attempt() {
    return attempt;
  }

  /** The initial member at this address answered a question of the attempt {@code asked}. */
  void heard(String address, Statement statement, int asked) {
    MemberId known = ids.put(address, statement.member());
    if (!statement.member().equals(known)) {
      reconsider();
    }
    boolean agrees = candidate != null && statement.readyFor() == candidate.clusterId();
    if (agrees && asked == attempt) {
      agreed.add(address);
    }
  }

  /** The cluster to found, once everyone agrees; null until then. */
  @Nullable Formation agreed() {
    return agreed.size() == plan.members().size() - 1 ? candidate : null;
  }

  /** The id that stands at two addresses, because a data directory was copied; null if none. */
  @Nullable MemberId twice() {
    Set<MemberId> seen = new HashSet<>();
    return ids.values().stream().filter(id -> !seen.add(id)).findFirst().orElse(null);
  }

  private void reconsider() {
    agreed.clear();
    attempt++;
    boolean complete =
        plan.members().stream().allMatch(planned -> ids.containsKey(planned.address()));
    boolean takesPart = plan.includes(ownAddress);
    candidate = complete && takesPart && twice() == null ? formation() : null;
  }

  private Formation formation() {
    List<Member> members = new ArrayList<>();
    for (FoundingPlan.PlannedMember planned : plan.members()) {
      MemberId id = ids.get(planned.address());
      if (id == null) {
        throw new IllegalStateException("nobody is known at [" + planned.address() + "]");
      }
      members.add(new Member(id, planned.kind(), planned.priority(), planned.address()));
    }
    Formation unnamed = new Formation(1, plan.shards(), plan.settingsHash(), members);
    return new Formation(hash(unnamed), plan.shards(), plan.settingsHash(), members);
  }

  private static long hash(Formation formation) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      long hash = ByteBuffer.wrap(digest.digest(MemberCodec.encode(formation))).getLong();
      return Math.max(1, hash & Long.MAX_VALUE);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return self + " at " + ownAddress + " knows " + ids + ", agreed " + agreed;
  }
}
