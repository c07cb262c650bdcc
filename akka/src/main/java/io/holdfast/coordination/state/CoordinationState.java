package io.holdfast.coordination.state;

import static io.holdfast.coordination.state.CoordinationVerdict.refused;

import io.holdfast.bytes.BytesInput;
import io.holdfast.bytes.BytesOutput;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.Optional;

/**
 * The state that the nodes agree on: the sessions that live, the owner and the epoch of each shard,
 * and the tokens that are given out. It is a function of the entries of the log alone. Used by one
 * thread at a time.
 *
 * <p>A command that makes no sense is refused, and never causes an exception. An exception shows a
 * broken invariant.
 */
public final class CoordinationState {

  /**
   * The format that is written. 2 added the addresses for clients, 3 the mark of services, and 4
   * the bytes of state that the members have room for.
   */
  private static final byte FORMAT = 4;

  /**
   * The first generation of a cluster. Nodes that stood alone gave out tokens of an earlier one.
   */
  private static final int FIRST_GENERATION = 1;

  private long applied;
  private final ClusterFacts cluster;
  private final Numbers numbers;
  private final MemberTable members;
  private final SessionTable sessions;
  private final ShardTable shards;
  private final GoneReports gone;
  private final SessionRules sessionRules;
  private final CoordinationCommand.Cases<CoordinationVerdict> rules;

  /** The state before the first entry. */
  public CoordinationState() {
    this(
        0,
        new ClusterFacts(0, FormationId.NONE, 0),
        new Numbers(FIRST_GENERATION, 0, 0),
        new MemberTable(),
        new SessionTable(),
        new ShardTable(0),
        new GoneReports());
  }

  private CoordinationState(
      long applied,
      ClusterFacts cluster,
      Numbers numbers,
      MemberTable members,
      SessionTable sessions,
      ShardTable shards,
      GoneReports gone) {
    this.applied = applied;
    this.cluster = cluster;
    this.numbers = numbers;
    this.members = members;
    this.sessions = sessions;
    this.shards = shards;
    this.gone = gone;
    sessionRules = new SessionRules(members, sessions, shards, numbers, gone);
    rules =
        new Rules(
            new ClusterRules(cluster, members, sessions, shards, numbers, sessionRules),
            sessionRules,
            new ShardRules(sessions, shards, numbers));
  }

  /** Applies one entry. Indices rise; those without a command may be left out. */
  public CoordinationVerdict apply(long index, CoordinationCommand command) {
    if (index <= applied) {
      throw new IllegalStateException("index [" + index + "] after [" + applied + "]");
    }
    applied = index;
    if (!isFounded() && !(command instanceof CoordinationCommand.Found)) {
      return refused(CoordinationRefusal.NOT_FOUNDED, index);
    }
    return command.match(rules);
  }

  /** The index of the last entry that was applied, or 0. */
  public long appliedIndex() {
    return applied;
  }

  public boolean isFounded() {
    return cluster.isFounded();
  }

  /** The cluster's id, or 0 before it is founded. */
  public long clusterId() {
    return cluster.id();
  }

  /** The number of shards, or 0 before the cluster is founded. */
  public int shards() {
    return shards.size();
  }

  /**
   * The terms by which keys are spread over shards. A founding names no hash: all have had the same
   * so far.
   */
  public ShardTerms terms() {
    return shards.terms();
  }

  /** The upper 16 bits of all numbers. */
  public int generation() {
    return numbers.generation();
  }

  /** The last forming of the Akka cluster; joined sessions are of it. */
  public FormationId formation() {
    return cluster.formation();
  }

  /**
   * The number of times that a session has joined; a node that wants to form the cluster names the
   * number that it has seen.
   */
  public long joinings() {
    return cluster.joinings();
  }

  /**
   * The bytes of state that every configured member has room for, also one that does not run now;
   * {@link Long#MAX_VALUE} if none has said.
   */
  public long stateBound() {
    return members.smallestCapacity();
  }

  public List<ConfiguredMember> members() {
    return members.configured();
  }

  /** All sessions that live, oldest first. */
  public List<Session> sessions() {
    return sessions.all();
  }

  /** The session, if it lives. */
  public Optional<Session> session(SessionId id) {
    return Optional.ofNullable(sessions.find(id));
  }

  /** True if a write under this epoch may take effect. */
  public boolean isCurrent(ShardId shard, Epoch epoch) {
    return !epoch.equals(Epoch.NONE) && epoch.equals(fence(shard));
  }

  /** The shard's fence: the epoch of its owner, or a number above all that it ever had. */
  public Epoch fence(ShardId shard) {
    return shards.has(shard) ? shards.fence(shard) : Epoch.NONE;
  }

  /** The session that owns the shard, under {@link #fence}. */
  public Optional<SessionId> owner(ShardId shard) {
    return shards.has(shard)
        ? Optional.of(shards.owner(shard)).filter(owner -> !owner.equals(SessionId.NONE))
        : Optional.empty();
  }

  /** The shards that the session owns, in order. */
  public List<ShardId> shardsOf(SessionId session) {
    return session.equals(SessionId.NONE) ? List.of() : shards.ownedBy(session);
  }

  /** The mark of a shard that is not certain. */
  public Optional<UncertainMark> uncertain(ShardId shard) {
    return shards.has(shard)
        ? Optional.of(shards.mark(shard)).filter(mark -> !mark.equals(UncertainMark.NONE))
        : Optional.empty();
  }

  /**
   * The sessions whose process is gone, by the reports of all members that can tell. A leader
   * proposes to end them early.
   */
  public List<CoordinationCommand.ExpireEarly> seeminglyGone() {
    return sessionRules.seeminglyGone();
  }

  /** Returns the members to expel by the views that were reported, or none. */
  public CoordinationCommand.Expel expulsion() {
    return new CoordinationCommand.Expel(Expulsion.smallest(sessions.all(), members.voters()));
  }

  /** The state as bytes, the same for equal states; {@link #readFrom} reads it for ever. */
  public byte[] toBytes() {
    BytesOutput out = new BytesOutput();
    out.putByte(FORMAT).putLong(applied);
    cluster.writeTo(out);
    numbers.writeTo(out);
    members.writeTo(out);
    sessions.writeTo(out);
    shards.writeTo(out);
    gone.writeTo(out);
    return out.toBytes();
  }

  /** Reads what {@link #toBytes} wrote; refuses damage by an {@code IllegalArgumentException}. */
  public static CoordinationState readFrom(byte[] bytes) {
    BytesInput in = new BytesInput(bytes);
    byte format = in.getByte();
    if (format < 1 || format > FORMAT) {
      throw new IllegalArgumentException("coordination format [" + format + "] is unknown");
    }
    CoordinationState state =
        new CoordinationState(
            in.getLong(),
            ClusterFacts.readFrom(in),
            Numbers.readFrom(in),
            MemberTable.readFrom(in, format),
            SessionTable.readFrom(in, /* hasEndpoints= */ format > 1),
            ShardTable.readFrom(in),
            GoneReports.readFrom(in));
    in.requireEnd();
    return state;
  }
}
