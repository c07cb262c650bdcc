package io.holdfast.coordination.member;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.internal.coordination.AcquireShard;
import io.holdfast.internal.coordination.AnnounceEndpoint;
import io.holdfast.internal.coordination.CoordinationEntry;
import io.holdfast.internal.coordination.ExpireSession;
import io.holdfast.internal.coordination.FormCluster;
import io.holdfast.internal.coordination.MarkCertain;
import io.holdfast.internal.coordination.MarkJoined;
import io.holdfast.internal.coordination.OpenSession;
import io.holdfast.internal.coordination.RenewSession;
import io.holdfast.internal.coordination.ReportGone;
import io.holdfast.internal.coordination.ReportReachability;
import io.holdfast.internal.coordination.Sessions;
import io.holdfast.internal.coordination.ShardEpoch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Translates between coordination's commands and {@code internal/coordination.proto}.
 *
 * <p>What cannot be read is an {@link IllegalArgumentException}.
 */
public final class CoordinationCodec {

  /**
   * One entry of the log.
   *
   * @param writer the process that wrote it
   * @param number counts the entries of that process
   */
  public record Entry(long writer, long number, CoordinationCommand command) {}

  private CoordinationCodec() {}

  /** The entry's bytes, behind the byte that names coordination. */
  public static byte[] encode(byte code, Entry entry) {
    CoordinationEntry proto =
        entry
            .command
            .match(
                new ToProto(
                    CoordinationEntry.newBuilder().setWriter(entry.writer).setNumber(entry.number)))
            .build();
    byte[] bytes = new byte[1 + proto.getSerializedSize()];
    bytes[0] = code;
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, 1, bytes.length - 1);
      proto.writeTo(out);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot be written to", e);
    }
    return bytes;
  }

  public static Entry decode(byte[] bytes) {
    try {
      ByteString body = UnsafeByteOperations.unsafeWrap(bytes, 1, bytes.length - 1);
      CoordinationEntry proto = CoordinationEntry.parseFrom(body);
      return new Entry(proto.getWriter(), proto.getNumber(), command(proto));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("an entry cannot be read: " + e.getMessage(), e);
    }
  }

  private static CoordinationCommand command(CoordinationEntry entry) {
    return switch (entry.getCommandCase()) {
      case FORGET_MEMBER ->
          new CoordinationCommand.ForgetMember(new NodeId(entry.getForgetMember()));
      case OPEN_SESSION -> command(entry.getOpenSession());
      case RENEW_SESSION ->
          new CoordinationCommand.RenewSession(
              session(entry.getRenewSession().getSession()), entry.getRenewSession().getRenewal());
      case CLOSE_SESSION -> new CoordinationCommand.CloseSession(session(entry.getCloseSession()));
      case EXPIRE_SESSION ->
          new CoordinationCommand.ExpireSession(
              session(entry.getExpireSession().getSession()),
              entry.getExpireSession().getIfRenewal());
      case REPORT_GONE ->
          new CoordinationCommand.ReportGone(
              session(entry.getReportGone().getSession()),
              session(entry.getReportGone().getGone()),
              entry.getReportGone().getIfRenewal());
      case EXPIRE_EARLY ->
          new CoordinationCommand.ExpireEarly(
              session(entry.getExpireEarly().getSession()), entry.getExpireEarly().getIfRenewal());
      case ACQUIRE_SHARD ->
          new CoordinationCommand.AcquireShard(
              session(entry.getAcquireShard().getSession()),
              ShardId.of(entry.getAcquireShard().getShard()),
              entry.getAcquireShard().getRequest(),
              terms(entry.getAcquireShard().getTerms()));
      case RELEASE_SHARD ->
          new CoordinationCommand.ReleaseShard(
              session(entry.getReleaseShard().getSession()),
              ShardId.of(entry.getReleaseShard().getShard()),
              new Epoch(entry.getReleaseShard().getEpoch()));
      case TAKE_TOKEN_BLOCK ->
          new CoordinationCommand.TakeTokenBlock(
              session(entry.getTakeTokenBlock().getSession()),
              ShardId.of(entry.getTakeTokenBlock().getShard()),
              new Epoch(entry.getTakeTokenBlock().getEpoch()));
      case FORM_CLUSTER ->
          new CoordinationCommand.FormCluster(
              session(entry.getFormCluster().getSession()), entry.getFormCluster().getJoinings());
      case MARK_JOINED ->
          new CoordinationCommand.MarkJoined(
              session(entry.getMarkJoined().getSession()),
              new FormationId(entry.getMarkJoined().getFormation()));
      case MARK_CERTAIN ->
          new CoordinationCommand.MarkCertain(
              ShardId.of(entry.getMarkCertain().getShard()), entry.getMarkCertain().getMark());
      case REPORT_REACHABILITY ->
          new CoordinationCommand.ReportReachability(
              session(entry.getReportReachability().getSession()),
              sessions(entry.getReportReachability().getUnreachableList()));
      case EXPEL -> new CoordinationCommand.Expel(sessions(entry.getExpel().getSessionsList()));
      case ANNOUNCE_ENDPOINT ->
          new CoordinationCommand.AnnounceEndpoint(
              session(entry.getAnnounceEndpoint().getSession()),
              entry.getAnnounceEndpoint().getEndpoint());
      case RAISE_GENERATION -> new CoordinationCommand.RaiseGeneration(entry.getRaiseGeneration());
      case COMMAND_NOT_SET -> throw new IllegalArgumentException("no command that is known here");
    };
  }

  private static CoordinationCommand command(OpenSession open) {
    if (open.getRoles() != (byte) open.getRoles()) {
      throw new IllegalArgumentException("roles [" + open.getRoles() + "] are unknown");
    }
    return new CoordinationCommand.OpenSession(
        new NodeId(open.getMember()),
        open.getIncarnation(),
        open.getAkkaAddress(),
        open.getAkkaUid(),
        NodeRole.ofBits((byte) open.getRoles()),
        open.getTtlMs(),
        terms(open.getTerms()),
        open.getStateCapacity());
  }

  private static ShardTerms terms(io.holdfast.internal.coordination.ShardTerms terms) {
    return new ShardTerms(terms.getShards(), terms.getKeyHash());
  }

  private static SessionId session(long value) {
    return new SessionId(value);
  }

  private static Set<SessionId> sessions(List<Long> values) {
    return values.stream().map(SessionId::new).collect(Collectors.toUnmodifiableSet());
  }

  private static List<Long> values(Collection<SessionId> sessions) {
    return sessions.stream().map(SessionId::value).sorted().toList();
  }

  /** Puts each command into the entry that is made for it. */
  private record ToProto(CoordinationEntry.Builder entry)
      implements CoordinationCommand.Cases<CoordinationEntry.Builder> {

    @Override
    public CoordinationEntry.Builder found(CoordinationCommand.Found found) {
      throw new IllegalArgumentException("the log itself tells how it was founded");
    }

    @Override
    public CoordinationEntry.Builder configure(CoordinationCommand.Configure configure) {
      throw new IllegalArgumentException("the log itself tells who belongs to it");
    }

    @Override
    public CoordinationEntry.Builder forgetMember(CoordinationCommand.ForgetMember forget) {
      return entry.setForgetMember(forget.member().value());
    }

    @Override
    public CoordinationEntry.Builder openSession(CoordinationCommand.OpenSession open) {
      return entry.setOpenSession(
          OpenSession.newBuilder()
              .setMember(open.member().value())
              .setIncarnation(open.incarnation())
              .setAkkaAddress(open.akkaAddress())
              .setAkkaUid(open.akkaUid())
              .setRoles(NodeRole.bits(open.roles()))
              .setTtlMs(open.ttlMs())
              .setTerms(terms(open.terms()))
              .setStateCapacity(open.stateCapacity()));
    }

    @Override
    public CoordinationEntry.Builder renewSession(CoordinationCommand.RenewSession renew) {
      return entry.setRenewSession(
          RenewSession.newBuilder()
              .setSession(renew.session().value())
              .setRenewal(renew.renewal()));
    }

    @Override
    public CoordinationEntry.Builder closeSession(CoordinationCommand.CloseSession close) {
      return entry.setCloseSession(close.session().value());
    }

    @Override
    public CoordinationEntry.Builder expireSession(CoordinationCommand.ExpireSession expire) {
      return entry.setExpireSession(expiry(expire.session(), expire.ifRenewal()));
    }

    @Override
    public CoordinationEntry.Builder reportGone(CoordinationCommand.ReportGone report) {
      return entry.setReportGone(
          ReportGone.newBuilder()
              .setSession(report.session().value())
              .setGone(report.gone().value())
              .setIfRenewal(report.ifRenewal()));
    }

    @Override
    public CoordinationEntry.Builder expireEarly(CoordinationCommand.ExpireEarly expire) {
      return entry.setExpireEarly(expiry(expire.session(), expire.ifRenewal()));
    }

    @Override
    public CoordinationEntry.Builder acquireShard(CoordinationCommand.AcquireShard acquire) {
      return entry.setAcquireShard(
          AcquireShard.newBuilder()
              .setSession(acquire.session().value())
              .setShard(acquire.shard().value())
              .setRequest(acquire.request())
              .setTerms(terms(acquire.terms())));
    }

    @Override
    public CoordinationEntry.Builder releaseShard(CoordinationCommand.ReleaseShard release) {
      return entry.setReleaseShard(shard(release.session(), release.shard(), release.epoch()));
    }

    @Override
    public CoordinationEntry.Builder takeTokenBlock(CoordinationCommand.TakeTokenBlock take) {
      return entry.setTakeTokenBlock(shard(take.session(), take.shard(), take.epoch()));
    }

    @Override
    public CoordinationEntry.Builder formCluster(CoordinationCommand.FormCluster form) {
      return entry.setFormCluster(
          FormCluster.newBuilder().setSession(form.session().value()).setJoinings(form.joinings()));
    }

    @Override
    public CoordinationEntry.Builder markJoined(CoordinationCommand.MarkJoined joined) {
      return entry.setMarkJoined(
          MarkJoined.newBuilder()
              .setSession(joined.session().value())
              .setFormation(joined.formation().value()));
    }

    @Override
    public CoordinationEntry.Builder markCertain(CoordinationCommand.MarkCertain certain) {
      return entry.setMarkCertain(
          MarkCertain.newBuilder().setShard(certain.shard().value()).setMark(certain.mark()));
    }

    @Override
    public CoordinationEntry.Builder reportReachability(
        CoordinationCommand.ReportReachability report) {
      return entry.setReportReachability(
          ReportReachability.newBuilder()
              .setSession(report.session().value())
              .addAllUnreachable(values(report.unreachable())));
    }

    @Override
    public CoordinationEntry.Builder expel(CoordinationCommand.Expel expel) {
      return entry.setExpel(Sessions.newBuilder().addAllSessions(values(expel.sessions())));
    }

    @Override
    public CoordinationEntry.Builder announceEndpoint(
        CoordinationCommand.AnnounceEndpoint announce) {
      return entry.setAnnounceEndpoint(
          AnnounceEndpoint.newBuilder()
              .setSession(announce.session().value())
              .setEndpoint(announce.endpoint()));
    }

    @Override
    public CoordinationEntry.Builder raiseGeneration(CoordinationCommand.RaiseGeneration raise) {
      return entry.setRaiseGeneration(raise.generation());
    }

    private static io.holdfast.internal.coordination.ShardTerms terms(ShardTerms terms) {
      return io.holdfast.internal.coordination.ShardTerms.newBuilder()
          .setShards(terms.shards())
          .setKeyHash(terms.keyHash())
          .build();
    }

    private static ExpireSession expiry(SessionId session, long ifRenewal) {
      return ExpireSession.newBuilder().setSession(session.value()).setIfRenewal(ifRenewal).build();
    }

    private static ShardEpoch shard(SessionId session, ShardId shard, Epoch epoch) {
      return ShardEpoch.newBuilder()
          .setSession(session.value())
          .setShard(shard.value())
          .setEpoch(epoch.value())
          .build();
    }
  }
}
