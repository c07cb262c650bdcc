package io.holdfast.raft.node;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.link.Peer;
import io.holdfast.raft.link.PeerLinks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a member into a cluster: it founds one with the other initial members, or joins theirs as
 * a learner. Also answers other members that do the same.
 */
final class Enrolment {

  private static final Logger log = LoggerFactory.getLogger(Enrolment.class);

  /** So many answers in a row that name another cluster are no coincidence. */
  private static final int OTHER_PLAN_AFTER = 40;

  private final FoundingPlan plan;
  private final String ownAddress;
  private final int everyMs;
  private final RaftCore core;
  private final PeerLinks links;
  private final Founding founding;
  private final Set<String> told = new HashSet<>();
  private final Map<String, Integer> differences = new HashMap<>();
  private final Set<String> asking = new HashSet<>();
  private @Nullable Formation durable;
  private @Nullable Formation toFound;
  private @Nullable OtherTerms otherTerms;
  private boolean join;
  private String askFirst = "";
  private long askAtMs;

  Enrolment(FoundingPlan plan, String ownAddress, int everyMs, RaftCore core, PeerLinks links) {
    this.plan = plan;
    this.ownAddress = ownAddress;
    this.everyMs = everyMs;
    this.core = core;
    this.links = links;
    founding = new Founding(plan, core.self(), ownAddress);
  }

  /** True if the member still belongs to no cluster. */
  boolean isOpen() {
    return core.formation() == null;
  }

  /** The time to be called next. */
  long nextMs() {
    return askAtMs;
  }

  /** All that the core knows by now is on the disk. */
  void synced() {
    if (durable == null) {
      durable = core.formation();
    }
  }

  /**
   * Asks the others, and founds when all agree.
   *
   * @throws OtherTerms if the cluster that it would join has other ones
   */
  void tick(long nowMs) {
    if (otherTerms != null) {
      throw otherTerms;
    }
    Formation agreed = toFound == null ? founding.agreed() : toFound;
    if (agreed != null) {
      Optional<RaftRefusal> refusal = core.form(agreed);
      log.info(
          "{} {} cluster [{}] with {}",
          core.self(),
          refusal.isEmpty() ? "founds" : "cannot found (" + refusal.get() + ")",
          Long.toHexString(agreed.clusterId()),
          agreed.members());
      toFound = null;
      askAtMs = nowMs + everyMs;
      return;
    }
    if (nowMs < askAtMs) {
      return;
    }
    askAtMs = nowMs + everyMs;
    for (String address : addresses()) {
      ask(address);
    }
  }

  private List<String> addresses() {
    List<String> addresses = new ArrayList<>();
    if (!askFirst.isEmpty()) {
      addresses.add(askFirst);
      askFirst = "";
      return addresses;
    }
    plan.members().forEach(member -> addresses.add(member.address()));
    addresses.remove(ownAddress);
    return addresses;
  }

  /* One question at a time: an address that is silent must not take the room of the others. */
  private void ask(String address) {
    if (!asking.add(address)) {
      return;
    }
    int attempt = founding.attempt();
    byte[] question = FoundingCodec.encode(new Question(core.self(), ownAddress, join));
    links.ask(
        address,
        question,
        answer -> {
          asking.remove(address);
          answer.ifPresent(bytes -> answered(address, bytes, attempt));
        });
  }

  private void answered(String address, byte[] bytes, int attempt) {
    if (!isOpen()) {
      return;
    }
    try {
      heard(address, FoundingCodec.statement(bytes), attempt);
    } catch (IllegalArgumentException e) {
      tellOnce("the answer from [" + address + "] cannot be read: " + e.getMessage());
    }
  }

  private void heard(String address, Statement statement, int attempt) {
    Formation formation = statement.formation();
    Member own = formation == null ? null : formation.configuration().memberOrNull(core.self());
    if (formation == null) {
      founding.heard(address, statement, attempt);
      noticeOtherPlan(address, statement);
      if (founding.twice() != null) {
        tellOnce(
            "["
                + founding.twice()
                + "] is at two addresses: a data directory was copied. Empty all but one of them");
      }
    } else if (own != null && !own.address().equals(ownAddress)) {
      tellOnce(
          "the cluster at [%s] was founded with this member at [%s], not at [%s]: its data directory was copied, or its address changed"
              .formatted(address, own.address(), ownAddress));
    } else if (own != null) {
      toFound = formation; // the others have founded what this member had agreed to
    } else if (formation.shards() != plan.shards()) {
      otherTerms =
          new OtherTerms(
              "the cluster at [%s] was founded with [%d] shards, not with [%d]"
                  .formatted(address, formation.shards(), plan.shards()));
    } else {
      join = true;
      askFirst = statement.leader().equals(address) ? "" : statement.leader();
      if (statement.admission() == Statement.Admission.ADMITTED) {
        // the leader's messages need answers before this member knows the leader
        links.belongTo(formation.clusterId());
        links.keep(Peer.others(statement.configuration(), core.self()));
      } else if (statement.admission() == Statement.Admission.UNKNOWN_ADDRESS) {
        tellOnce(
            "the cluster at ["
                + address
                + "] has no member at ["
                + ownAddress
                + "]: add ["
                + core.self()
                + "] to it, or correct the addresses");
      }
    }
  }

  /** Answers a member without a cluster. */
  byte[] answer(byte[] bytes) {
    Question question = FoundingCodec.question(bytes);
    Statement.Admission admission =
        question.join() ? admit(question.member(), question.address()) : Statement.Admission.NONE;
    MemberId leader = core.leadership().leader();
    Member row = leader == null ? null : core.configuration().memberOrNull(leader);
    return FoundingCodec.encode(
        new Statement(
            core.self(),
            ownAddress,
            isOpen() ? founding.readyFor() : 0,
            durable,
            core.configuration(),
            admission,
            row == null ? "" : row.address()));
  }

  /* A new id at an address of the cluster shows that the member there has lost its directory. It
  joins as a learner; its earlier id stays a member until somebody removes it. */
  private Statement.Admission admit(MemberId joining, String address) {
    Configuration configuration = core.configuration();
    if (configuration.contains(joining)) {
      return Statement.Admission.ADMITTED;
    }
    if (configuration.members().stream().noneMatch(row -> row.address().equals(address))) {
      return Statement.Admission.UNKNOWN_ADDRESS;
    }
    List<Member> target = new ArrayList<>(configuration.members());
    target.removeIf(row -> row.address().equals(address) && !row.votes());
    target.add(Member.learner(joining, address));
    Optional<RaftRefusal> refusal = core.changeMembers(target);
    if (refusal.isEmpty()) {
      log.info("{} joins at [{}] as a learner", joining, address);
    }
    return refusal.isEmpty() ? Statement.Admission.ADMITTED : Statement.Admission.LATER;
  }

  /** Warns of a plan that differs. Changed ids explain a difference only for a short time. */
  private void noticeOtherPlan(String address, Statement statement) {
    boolean differs =
        statement.readyFor() != 0
            && founding.readyFor() != 0
            && statement.readyFor() != founding.readyFor();
    int times = differs ? differences.merge(address, 1, Integer::sum) : 0;
    if (!differs) {
      differences.remove(address);
    } else if (times == OTHER_PLAN_AFTER) {
      tellOnce(
          "[%s] wants to found another cluster: its initial members, shards or shared settings differ"
              .formatted(address));
    }
  }

  private void tellOnce(String message) {
    if (told.add(message)) {
      log.warn("{}: {}", core.self(), message);
    }
  }
}
