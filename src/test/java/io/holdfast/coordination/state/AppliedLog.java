package io.holdfast.coordination.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** A state, and the short words by which tests append to its log. */
public final class AppliedLog {

  static final int SHARDS = 4;
  static final int TTL_MS = 2_000;
  static final ShardTerms TERMS = ShardTerms.of(SHARDS);
  static final Set<NodeRole> HOST = Set.of(NodeRole.VOTER, NodeRole.SHARD_HOST);

  public CoordinationState state = new CoordinationState();
  private long index;

  /** A founded cluster with this many voters, the nodes 1 to {@code voters}. */
  public static AppliedLog founded(int voters) {
    AppliedLog log = new AppliedLog();
    log.apply(
        new CoordinationCommand.Found(
            77,
            SHARDS,
            LongStream.rangeClosed(1, voters)
                .mapToObj(i -> new ConfiguredMember(new NodeId(i), "host:" + i, HOST))
                .toList()));
    return log;
  }

  public CoordinationVerdict apply(CoordinationCommand command) {
    index++;
    return state.apply(index, command);
  }

  public void refuses(CoordinationRefusal reason, CoordinationCommand command) {
    CoordinationVerdict verdict = apply(command);
    assertEquals(
        reason,
        verdict instanceof CoordinationVerdict.Refused refused ? refused.reason() : null,
        verdict::toString);
  }

  public static CoordinationCommand.OpenSession opening(long member, long incarnation) {
    return opening(member, incarnation, TERMS);
  }

  static CoordinationCommand.OpenSession opening(long member, long incarnation, ShardTerms terms) {
    return new CoordinationCommand.OpenSession(
        new NodeId(member),
        incarnation,
        "akka://holdfast@host:" + member,
        member,
        HOST,
        TTL_MS,
        terms);
  }

  public SessionId open(long member, long incarnation) {
    return opened(apply(opening(member, incarnation))).session().id();
  }

  static CoordinationCommand.OpenSession serviceOpening(long member) {
    return new CoordinationCommand.OpenSession(
        new NodeId(member),
        1,
        "akka://holdfast@service:" + member,
        member,
        Set.of(),
        TTL_MS,
        TERMS);
  }

  SessionId openService(long member) {
    return opened(apply(serviceOpening(member))).session().id();
  }

  public static CoordinationVerdict.Opened opened(CoordinationVerdict verdict) {
    return (CoordinationVerdict.Opened) verdict;
  }

  static List<EndedSession> ended(CoordinationVerdict verdict) {
    return ((CoordinationVerdict.Ended) verdict).ended();
  }

  public void renew(SessionId session, long number) {
    CoordinationVerdict verdict = apply(new CoordinationCommand.RenewSession(session, number));
    assertEquals(number, verdict.alive().map(Session::renewal).orElse(-1L), verdict::toString);
  }

  public CoordinationVerdict.Acquired acquire(SessionId session, int shard, long request) {
    return (CoordinationVerdict.Acquired)
        apply(new CoordinationCommand.AcquireShard(session, ShardId.of(shard), request, TERMS));
  }

  TokenBlock takeBlock(CoordinationVerdict.Acquired owner) {
    return ((CoordinationVerdict.BlockTaken)
            apply(
                new CoordinationCommand.TakeTokenBlock(
                    owner.session(), owner.shard(), owner.epoch())))
        .block();
  }

  public CoordinationCommand forming(SessionId session) {
    return new CoordinationCommand.FormCluster(session, state.joinings());
  }

  public void join(SessionId session) {
    apply(new CoordinationCommand.MarkJoined(session, state.formation()));
  }
}
